import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** Accent color. All other colors are gray or have a meaning. */
const pace: MantineColorsTuple = [
  '#eef3fb',
  '#dbe5f4',
  '#b3c8e8',
  '#88a9dc',
  '#648fd2',
  '#4d7ecc',
  '#3f73c6',
  '#2f5fb3',
  '#2653a0',
  '#18478e',
];

/** Dark colors with the blue tint of the surfaces in `page.css`, so that buttons and controls match them. */
const dark: MantineColorsTuple = [
  '#d5d9df',
  '#b4bac3',
  '#7f8792',
  '#666d78',
  '#3d424b',
  '#363b44',
  '#2a2e35',
  '#22252b',
  '#1c1f24',
  '#141619',
];

const dialogTitle = { fontWeight: 600, lineHeight: 1.35 };

export const theme = createTheme({
  colors: { pace, dark },
  primaryColor: 'pace',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.45rem' }, h2: { fontSize: '1.1rem' }, h3: { fontSize: '1rem' } },
  },
  cursorType: 'pointer',
  // The style sheet removes transitions then, so components must not wait until they end.
  respectReducedMotion: true,
  components: {
    Accordion: { styles: { label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500 } } },
    // The border color of an alert is too light for text, so the title has the color of a severity.
    Alert: {
      styles: (_theme: unknown, { color }: { color?: string }) => {
        if (color === 'yellow') return { title: { color: 'var(--severity-moderate)' } };
        return color === 'red' ? { title: { color: 'var(--severity-critical)' } } : {};
      },
    },
    Badge: { defaultProps: { tt: 'none' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 200,
        multiline: true,
        maw: 360,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: dialogTitle },
    },
    Drawer: { styles: { title: dialogTitle } },
    // Menus contain only items, so the first item gets the focus without a placeholder.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Paper: { defaultProps: { withBorder: true } },
    Select: { defaultProps: { checkIconPosition: 'right' } },
  },
});
