/** How often new jobs run, unless their creator selects another schedule. */
export const suggestedSchedules = {
  upstream: '0 */6 * * *',
  deployed: '0 * * * *',
  cluster: '*/10 * * * *',
} as const;
