import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { scrollsSideways, seriousViolations, switchColorScheme } from './browser-checks.ts';
import { isLong } from './long-tests.ts';

/** Width of a phone. */
const narrow = 390;

/**
 * Checks accessibility and horizontal overflow at each width. Long runs check accessibility at each width in light and
 * dark colors. Short runs check it only at the last width: in dark colors on a narrow screen, otherwise in light colors.
 * @param widths Default: a wide and a narrow window.
 */
export async function expectAccessible(
  page: Page,
  widths: readonly number[] = [1280, narrow],
): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) {
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 });
    // The navigation can still be sliding out of view.
    await expect.poll(() => scrollsSideways(page), { message: `${width} wide` }).toBe(false);
    if (!isLong && width !== widths.at(-1)) continue;
    const colors = width === narrow ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
    for (const colorScheme of isLong ? colors : colors.slice(0, 1)) {
      await switchColorScheme(page, colorScheme);
      expect(await seriousViolations(page), `${width} wide in ${colorScheme} colors`).toEqual([]);
    }
  }
  if (before) await page.setViewportSize(before);
}
