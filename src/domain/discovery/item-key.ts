import { extractorLabels } from './extractor-labels.ts';
import type { ExtractorName, Fact } from './fact.ts';

/** Identifies an item without the path of its file. Parts are escaped, so different items never have the same key. */
export function itemKey({
  extractor,
  place: { kind, namespace, name, field },
}: Pick<Fact, 'extractor' | 'place'>): string {
  return [extractor, kind ?? '', namespace ?? '', name ?? '', field]
    .map((part) => part.replaceAll(/[%:]/g, (character) => (character === '%' ? '%25' : '%3A')))
    .join(':');
}

/** The kind of file that an item with this key is in. Null if no item has such a key. */
export function extractorOfKey(key: string): ExtractorName | null {
  const name = key.split(':', 1)[0]!;
  return Object.hasOwn(extractorLabels, name) ? (name as ExtractorName) : null;
}
