import { useLayoutEffect, useState } from 'react';

/**
 * Measures the distance of an element from the top of the page, and updates it when the content above the
 * element changes size.
 * @returns The distance, and the ref of the element.
 */
export function useDistanceFromTop() {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [distance, setDistance] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return;
    const measure = () => {
      const now = element.getBoundingClientRect().top + window.scrollY;
      // Positions are fractional and vary by rounding. Ignore differences below one pixel.
      setDistance((before) => (Math.abs(now - before) < 1 ? before : now));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const each of elementsAround(element)) observer.observe(each);
    return () => observer.disconnect();
  }, [element]);
  return [distance, ref] as const;
}

/**
 * Returns the elements whose size can move this element up or down: its ancestors and their preceding
 * siblings.
 */
function elementsAround(element: HTMLElement): Element[] {
  const found: Element[] = [];
  for (let each: Element | null = element.parentElement; each !== null; each = each.parentElement) {
    found.push(each);
    for (let before = each.previousElementSibling; before !== null; before = before.previousElementSibling)
      found.push(before);
  }
  return found;
}
