import 'react-easy-crop/react-easy-crop.css';
import { useId, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import { Button } from './button';
import { Dialog } from './confirm-dialog';
import { cropToJpeg, fullSquare } from './crop-picture';
import classes from './dialog.module.css';

const MAX_ZOOM = 5;

type Props = {
  /** URL of the picked picture; null closes the dialog. */
  source: string | null;
  labels: { title: string; help: string; zoom: string; use: string; cancel: string };
  minPixels: number;
  maxPixels: number;
  onCancel: () => void;
  /**
   * Called before the picture is cut: the dialog would swallow text that the user types while a large picture is cut.
   */
  onCropped: (picture: Promise<Blob>) => void;
};

/** Crops a picture to a square, by mouse, touch or keyboard, and returns a JPEG. */
export default function CropDialog({ source, labels, minPixels, maxPixels, onCancel, onCropped }: Props) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  // the cropped part must not be smaller than the minimum size
  const [maxZoom, setMaxZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const zoomId = useId();

  const square = area && fullSquare(area, size, zoom);
  function use() {
    if (source && square) onCropped(cropToJpeg(source, square, { min: minPixels, max: maxPixels }));
  }

  return (
    <Dialog open={source !== null} title={labels.title} onClose={onCancel} wide>
      <p className={classes.text}>{labels.help}</p>
      <div className={classes.crop}>
        {source && (
          <Cropper
            image={source}
            crop={crop}
            zoom={zoom}
            aspect={1}
            maxZoom={maxZoom}
            onMediaLoaded={({ naturalWidth: width, naturalHeight: height }) => {
              setSize({ width, height });
              setMaxZoom(Math.max(1, Math.min(MAX_ZOOM, Math.min(width, height) / minPixels)));
            }}
            showGrid={false}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            cropperProps={{ role: 'group', 'aria-label': labels.title }}
            disableAutomaticStylesInjection
          />
        )}
      </div>
      <div className={classes.zoom}>
        <label htmlFor={zoomId}>{labels.zoom}</label>
        <input
          id={zoomId}
          type="range"
          min={1}
          max={maxZoom}
          step={0.01}
          value={zoom}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
        />
      </div>
      <div className={classes.actions}>
        <Button type="button" variant="subtle" color="gray" onClick={onCancel}>
          {labels.cancel}
        </Button>
        <Button type="button" onClick={use} disabled={!area}>
          {labels.use}
        </Button>
      </div>
    </Dialog>
  );
}
