import { useEffect, useRef } from 'react';

/** Scrolls a title that is too wide (spec §9: above 160 px, or 140 or 120 px on narrow screens; see player.css). */
export function ScrollingTitle({ children }: { children: string }) {
  const box = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const element = box.current;
    const text = element?.firstElementChild;
    if (!element || !text) return;
    function measure() {
      if (!element || !text) return;
      const overflow = text.scrollWidth - element.clientWidth;
      element.classList.toggle('scrolls', overflow > 0);
      element.style.setProperty('--over', `${-overflow}px`);
    }
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [children]);

  return (
    <span className="scrolling" ref={box}>
      <span>{children}</span>
    </span>
  );
}
