const grouped = new Intl.NumberFormat('en-US');

/**
 * "reaches its end of support in 12 days", "reached its end of support 3 days ago". An end without a known day has passed.
 *
 * @param daysLeft As `daysLeft` counts: 0 from the end on, then negative.
 */
export function formatSupport(daysLeft: number | null): string {
  if (daysLeft === null) return 'has reached its end of support';
  if (daysLeft > 0) return `reaches its end of support in ${formatDays(daysLeft)}`;
  return daysLeft === 0
    ? 'has just reached its end of support'
    : `reached its end of support ${formatDays(-daysLeft)} ago`;
}

/** "12 days left", "ended 3 days ago". @param daysLeft as for `formatSupport` */
export function formatDaysLeft(daysLeft: number): string {
  if (daysLeft > 0) return `${formatDays(daysLeft)} left`;
  return daysLeft === 0 ? 'ended' : `ended ${formatDays(-daysLeft)} ago`;
}

function formatDays(days: number): string {
  return `${grouped.format(days)} ${days === 1 ? 'day' : 'days'}`;
}
