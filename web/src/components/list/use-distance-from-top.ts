import { useLayoutEffect, useState } from 'react';

/**
 * How far an element is from the top of the page, also after what is above it has changed its size.
 * @returns The distance, and the ref of the element.
 */
export function useDistanceFromTop() {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [distance, setDistance] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return;
    const measure = () => {
      const now = element.getBoundingClientRect().top + window.scrollY;
      // Positions are fractions that differ by rounding.
      setDistance((before) => (Math.abs(now - before) < 1 ? before : now));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const each of elementsAround(element)) observer.observe(each);
    return () => observer.disconnect();
  }, [element]);
  return [distance, ref] as const;
}

/** Those whose size changes when the element moves down or up: what it is in, and what is before it there. */
function elementsAround(element: HTMLElement): Element[] {
  const found: Element[] = [];
  for (let each: Element | null = element.parentElement; each !== null; each = each.parentElement) {
    found.push(each);
    for (let before = each.previousElementSibling; before !== null; before = before.previousElementSibling)
      found.push(before);
  }
  return found;
}
