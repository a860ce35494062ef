import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { scrollsSideways, seriousViolations, switchColorScheme } from './browser-checks.ts';
import { isLong } from './long-tests.ts';

/**
 * Checks accessibility and horizontal overflow: the wide layout in light colors and the narrow layout in dark
 * colors. Long runs check each width in both color schemes.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const colors = width === 1280 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    for (const colours of isLong ? colors : colors.slice(0, 1)) {
      await switchColorScheme(page, colours);
      expect(await seriousViolations(page), `${width} wide in ${colours} colors`).toEqual([]);
      expect(await scrollsSideways(page), `${width} wide`).toBe(false);
    }
  }
  if (before) await page.setViewportSize(before);
}
