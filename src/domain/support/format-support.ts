const grouped = new Intl.NumberFormat('en-US');

/**
 * Formats the end of support, such as "reaches its end of support in 12 days" or "reached its end of support
 * 3 days ago".
 *
 * @param daysLeft The result of `daysLeft`: 0 at the end of support, negative after it. `null` if support
 * ended on an unknown day.
 */
export function formatSupport(daysLeft: number | null): string {
  if (daysLeft === null) return 'has reached its end of support';
  if (daysLeft > 0) return `reaches its end of support in ${formatDays(daysLeft)}`;
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
