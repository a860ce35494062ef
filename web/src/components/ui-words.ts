/** Words of the API and the words that the UI uses for them. The article is part of the word if it changes. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\b([Aa])n alert configuration\b/g, '$1 monitor'],
  [/\balert configuration(s?)\b/g, 'monitor$1'],
  [/\bAlert configuration(s?)\b/g, 'Monitor$1'],
  [/\b([Aa]) gather job\b/g, '$1n upstream source'],
  [/\bgather job(s?)\b/g, 'upstream source$1'],
  [/\bGather job(s?)\b/g, 'Upstream source$1'],
  [/\bscrape job(s?)\b/g, 'version tracker$1'],
  [/\bScrape job(s?)\b/g, 'Version tracker$1'],
  [/\bdiscovery job\b/g, 'repository'],
  [/\bdiscovery jobs\b/g, 'repositories'],
  [/\bno extractor reads\b/g, 'no built-in pattern reads'],
];

/** Returns a sentence of the API, such as the description of a setting, with the words of the UI. */
export function toUiWords(text: string): string {
  return words.reduce((changed, [pattern, word]) => changed.replace(pattern, word), text);
}
