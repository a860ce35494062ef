import { ownValue } from '../../domain/json/own-value.ts';
import { compileCheapPattern } from '../../domain/patterns/compile-pattern.ts';
import { type Item, isItem } from '../call-operation.ts';
import { textOf } from './read-argus.ts';

export interface Converted {
  pattern: string | null;
  /** Parts that couldn't be converted, or whose conversion is based on an assumption. */
  notes: string[];
}

/**
 * Converts `url_commands`, which extract a version from a tag, to one pattern whose first group is the version. Chained
 * commands aren't supported.
 */
export function toVersionPattern(urlCommands: unknown): Converted {
  const commands = (Array.isArray(urlCommands) ? urlCommands : [urlCommands]).filter(isItem);
  const [command, ...more] = commands;
  if (!command) return { pattern: null, notes: [] };
  if (more.length > 0)
    return {
      pattern: null,
      notes: [`${commands.length} chained url_commands can't be combined into one pattern`],
    };
  const result = toPattern(command);
  if (result.pattern === null) return result;
  const compiled = compileCheapPattern(result.pattern);
  return compiled.ok
    ? result
    : { pattern: null, notes: [`pattern ${result.pattern} isn't supported: ${compiled.message}`] };
}

function toPattern(command: Item): Converted {
  const unsupported = (note: string): Converted => ({ pattern: null, notes: [note] });
  const index = Number(textOf(command['index']) ?? 0);
  switch (command['type']) {
    case 'regex':
    case 'regex_submatch': {
      const regex = textOf(command['regex']) ?? '';
      const template = textOf(command['template']);
      if (template !== null && template !== '$1')
        return unsupported(`the template ${template} of a regex isn't supported`);
      if (index !== 0 && index !== -1) return unsupported(`index ${index} of a regex isn't supported`);
      const pattern = keepLastGroup(regex);
      return pattern === null ? unsupported(`can't parse the regex ${regex}`) : { pattern, notes: [] };
    }
    case 'split': {
      const text = quotePattern(textOf(command['text']) ?? '');
      if (index === -1) return { pattern: `^.*${text}(.*)$`, notes: [] };
      if (index < 0) return unsupported(`index ${index} of a split isn't supported`);
      const before = index === 0 ? '' : `(?:.*?${text}){${index}}`;
      // Argus skips tags that don't contain the text, so the pattern must not match them.
      return { pattern: index === 0 ? `^(.*?)${text}` : `^${before}(.*?)(?:${text}|$)`, notes: [] };
    }
    case 'replace': {
      const old = textOf(command['old']) ?? '';
      if ((textOf(command['new']) ?? '') !== '')
        return unsupported(`replacing ${old} with other text isn't supported`);
      const note = `the empty replacement of "${old}" is imported as prefix removal`;
      return { pattern: `^(?:${quotePattern(old)})?(.+)$`, notes: [note] };
    }
    default:
      return unsupported(`url_commands of type ${textOf(command['type']) ?? '?'} aren't supported`);
  }
}

/** Returns the same pattern with only its last group. Null if the pattern can't be parsed. */
export function keepLastGroup(regex: string): string | null {
  const groups: { start: number; length: number }[] = [];
  let inClass = false;
  for (let at = 0; at < regex.length; at++) {
    const character = regex[at];
    if (character === '\\') {
      if (regex[at + 1] === 'Q') return null;
      at++;
    } else if (inClass) inClass = character !== ']';
    else if (character === '[') {
      inClass = true;
      // A closing bracket at the start of a class, also after `^`, is literal, so skip it.
      if (regex[at + 1] === '^') at++;
      if (regex[at + 1] === ']') at++;
    } else if (character === '(') {
      const [named] = /^\(\?P?<[A-Za-z_]\w*>/.exec(regex.slice(at)) ?? [];
      if (named) groups.push({ start: at, length: named.length });
      else if (regex[at + 1] !== '?') groups.push({ start: at, length: 1 });
    }
  }
  let result = regex;
  for (const { start, length } of groups.slice(0, -1).toReversed())
    result = `${result.slice(0, start)}(?:${result.slice(start + length)}`;
  return result;
}

/** Escapes text, so that the resulting pattern matches only this text. */
export function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * Converts an interval, such as `1h5m` or a number of seconds, to the closest cron expression that doesn't
 * run more often.
 */
export function toCron(interval: string): string {
  const seconds = /^\d+$/.test(interval) ? Number(interval) : durationSeconds(interval);
  const minutes = Math.max(1, Math.ceil((seconds ?? 600) / 60));
  const next = (steps: readonly number[], value: number) => steps.find((step) => step >= value);
  const everyMinutes = next([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30], minutes);
  if (everyMinutes !== undefined) return everyMinutes === 1 ? '* * * * *' : `*/${everyMinutes} * * * *`;
  const everyHours = next([1, 2, 3, 4, 6, 8, 12], Math.ceil(minutes / 60));
  if (everyHours !== undefined) return everyHours === 1 ? '@hourly' : `0 */${everyHours} * * *`;
  return minutes <= 1_440 ? '@daily' : minutes <= 10_080 ? '@weekly' : '@monthly';
}

const unitSeconds: Readonly<Record<string, number>> = {
  y: 31_536_000,
  w: 604_800,
  d: 86_400,
  h: 3_600,
  m: 60,
  s: 1,
};

function durationSeconds(text: string): number | null {
  const parts = [...text.matchAll(/(\d+)([ywdhms])/gy)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return null;
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * ownValue(unitSeconds, unit)!, 0);
}
