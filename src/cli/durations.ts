import type { ApiClient } from '../client/api-client.ts';
import { ownValue } from '../domain/json/own-value.ts';
import { CliError, usageError } from './cli-error.ts';

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Converts a duration, such as `90m`, `12h`, `7d`, or `2w`, to seconds. */
export function readDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count === undefined) throw usageError(`Invalid duration "${text}". Use 90m, 12h, 7d, or 2w.`);
  return Number(count) * ownValue(unitSeconds, unit)!;
}

/**
 * Returns the time after the given number of seconds. Uses the server's clock, because the local one can be
 * wrong.
 */
export async function serverTimeIn(api: ApiClient, seconds: number): Promise<string> {
  const { headers } = await api.send('getAlertSummary');
  const nowMs = serverTimeOf(headers, 'Use --until TIME instead.');
  return new Date(nowMs + seconds * 1_000).toISOString();
}

/**
 * Returns the time of a response in milliseconds.
 * @param fix Remedy to add to the error message if the response doesn't contain the time.
 */
export function serverTimeOf(headers: Headers, fix: string): number {
  const nowMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(nowMs)) throw new CliError(`The server didn't return its time. ${fix}`);
  return nowMs;
}
