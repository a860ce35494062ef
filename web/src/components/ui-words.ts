import { capitalized } from '../../../src/domain/text/capitalized.ts';
import { resourceLabels } from './resource-labels.ts';

/** Words of the API, and the names that the UI has for them. */
const names: ReadonlyMap<string, string> = new Map([
  ['alert configuration', resourceLabels.alert_config],
  ['gather job', resourceLabels.gather_job],
  ['scrape job', resourceLabels.scrape_job],
  ['helm sync job', resourceLabels.helm_sync_job],
  ['discovery job', resourceLabels.discovery_job],
]);

const pattern = new RegExp(`\\b(?:(a)n? )?(${[...names.keys()].join('|')})(s?)\\b`, 'gi');

/** Returns a sentence of the API, such as the description of a setting, with the words of the UI. */
export function toUiWords(text: string): string {
  return text
    .replaceAll(pattern, (_, article: string | undefined, word: string, ending: string) => {
      const one = names.get(word.toLowerCase()) ?? word;
      const name = ending === '' ? one : pluralOf(one);
      const shown = /^[A-Z]/.test(word) ? capitalized(name) : name;
      return article === undefined ? shown : `${article}${/^[aeiou]/i.test(shown) ? 'n' : ''} ${shown}`;
    })
    .replaceAll(/\bno extractor reads\b/g, 'no built-in pattern reads');
}

const pluralOf = (name: string) => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`);
