import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { scrollsSideways, seriousViolations, setColours } from './browser-checks.ts';

/** Accessible and no wider than the screen: wide and narrow, in light and dark colors. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colours of ['light', 'dark'] as const) {
      await setColours(page, colours);
      expect(await seriousViolations(page), `${width} wide in ${colours} colors`).toEqual([]);
      expect(await scrollsSideways(page), `${width} wide`).toBe(false);
    }
  }
  if (before) await page.setViewportSize(before);
}
