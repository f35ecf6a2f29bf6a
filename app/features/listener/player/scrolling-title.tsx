import { useEffect, useRef } from 'react';

/** A title that is wider than the free room of the bar scrolls (docs/decisions/0317). */
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
      <span dir="auto">{children}</span>
    </span>
  );
}
