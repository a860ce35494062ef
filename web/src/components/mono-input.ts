/** `styles` of inputs that hold code: their labels stay as they are. */
export const monoInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } as const;
