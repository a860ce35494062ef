const grouped = new Intl.NumberFormat('en-US');

/**
 * Formats the end of support, such as "has 12 days of support left" or "reached its end of support 3 days ago". The days
 * left include today and the last day, so "in 12 days" would name the day after the last one.
 *
 * @param daysLeft The result of `daysLeft`: 0 at the end of support, negative after it. `null` if support
 * ended on an unknown day.
 */
export function formatSupport(daysLeft: number | null): string {
  if (daysLeft === null) return 'has reached its end of support';
  if (daysLeft > 0) return `has ${formatDays(daysLeft)} of support left`;
  return daysLeft === 0
    ? 'has just reached its end of support'
    : `reached its end of support ${formatDays(-daysLeft)} ago`;
}

/**
 * Formats the remaining days, such as "12 days left" or "ended 3 days ago".
 * @param daysLeft As for `formatSupport`, but never `null`.
 */
export function formatDaysLeft(daysLeft: number): string {
  if (daysLeft > 0) return `${formatDays(daysLeft)} left`;
  return daysLeft === 0 ? 'ended' : `ended ${formatDays(-daysLeft)} ago`;
}

function formatDays(days: number): string {
  return `${grouped.format(days)} ${days === 1 ? 'day' : 'days'}`;
}
