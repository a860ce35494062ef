import type { ResourceNoun } from './simulation-text.ts';

/** The parts of a forecast that `describeForecast` uses. Field names match the API. */
export interface ForecastFigures {
  readonly things: number;
  readonly no_data: number;
  readonly is_complete: boolean;
}

/**
 * Returns a sentence such as "12 monitors cross a threshold in the next 30 days if nothing is upgraded.", and
 * another one about monitors that can't be forecast.
 */
export function describeForecast(
  { things, no_data, is_complete }: ForecastFigures,
  days: number,
  noun: ResourceNoun,
): string {
  const who =
    things === 0
      ? `No ${noun.one} crosses`
      : `${is_complete ? '' : 'At least '}${things.toLocaleString('en-US')} ${things === 1 ? `${noun.one} crosses` : `${noun.many} cross`}`;
  const period = days === 1 ? 'the next day' : `the next ${days} days`;
  const without =
    no_data === 0
      ? ''
      : ` ${no_data.toLocaleString('en-US')} ${no_data === 1 ? `${noun.one} has` : `${noun.many} have`} no data and can't be forecast.`;
  return `${who} a threshold in ${period} if nothing is upgraded.${without}`;
}
