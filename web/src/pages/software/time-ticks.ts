import { formatDayOfYear, formatMonth } from '../../ui/format.ts';

export interface Tick {
  at: number;
  label: string;
}

const dayMs = 86_400_000;
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120, 240];
const daySteps = [1, 2, 7, 14];

/**
 * Returns axis ticks at round times between two instants: days, months, or years in UTC.
 * @param most Maximum number of ticks.
 */
export function timeTicks(from: number, to: number, most: number): Tick[] {
  if (!(to > from) || most < 1) return [];
  const days = daySteps.find((step) => (to - from) / dayMs / step <= most);
  if (days !== undefined) {
    const length = days * dayMs;
    const ticks: Tick[] = [];
    for (let at = Math.ceil(from / length) * length; at <= to; at += length) {
      ticks.push({ at, label: formatDayOfYear(at) });
    }
    return ticks;
  }
  const months = (to - from) / dayMs / 30.4;
  const step = monthSteps.find((length) => months / length <= most) ?? 1_200;
  const start = new Date(from);
  const ticks: Tick[] = [];
  for (
    let month = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step) * step;
    ;
    month += step
  ) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    if (at > to) return ticks;
    if (at >= from)
      ticks.push({ at, label: step % 12 === 0 ? String(Math.floor(month / 12)) : formatMonth(at) });
  }
}
