import cronstrue from 'cronstrue';
import { parseCron } from '../../../src/domain/scheduling/cron-expression.ts';
import { nextRun } from '../../../src/domain/scheduling/cron-schedule.ts';

/** A module of its own: it is loaded only where a schedule is shown. */
export type CronReading = { ok: true; text: string; next: Date | null } | { ok: false; message: string };

/** What a cron expression means and when it is due next, or what is wrong with it, as the server would say it. */
export function describeCron(expression: string, timeZone: string, now: Date): CronReading {
  const parsed = parseCron(expression);
  if (!parsed.ok) return parsed;
  const text = cronstrue.toString(parsed.cron.normalized, { use24HourTimeFormat: true, verbose: false });
  return { ok: true, text, next: nextRun(expression, timeZone, now) };
}
