/** Default schedules of new jobs. */
export const suggestedSchedules = {
  upstream: '0 */6 * * *',
  deployed: '0 * * * *',
  cluster: '*/10 * * * *',
} as const;
