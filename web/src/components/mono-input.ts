/** Monospace `styles` for inputs that contain code. Labels keep the regular font. */
export const monoInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } as const;
