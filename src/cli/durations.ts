import type { ApiClient } from '../client/api-client.ts';
import { CliError, usageError } from './cli-error.ts';

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of `90m`, `12h`, `7d`, or `2w`. */
export function readDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count === undefined) throw usageError(`Invalid duration "${text}". Use 90m, 12h, 7d, or 2w.`);
  return Number(count) * unitSeconds[unit]!;
}

/** By the server's clock: the one here may be wrong. */
export async function serverTimeIn(api: ApiClient, seconds: number): Promise<string> {
  const { headers } = await api.send('getAlertSummary');
  const nowMs = serverTimeOf(headers, 'Use --until TIME instead.');
  return new Date(nowMs + seconds * 1_000).toISOString();
}

/** When the server sent a response, in milliseconds. @param fix What to do if it doesn't say. */
export function serverTimeOf(headers: Headers, fix: string): number {
  const nowMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(nowMs)) throw new CliError(`The server didn't return its time. ${fix}`);
  return nowMs;
}
