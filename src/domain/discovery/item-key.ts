import { extractorLabels } from './extractor-labels.ts';
import type { ExtractorName, Fact } from './fact.ts';

/**
 * Returns a key that identifies an item without the path of its file. Parts are escaped, so different items
 * never have the same key.
 */
export function itemKey({
  extractor,
  place: { kind, namespace, name, field },
}: Pick<Fact, 'extractor' | 'place'>): string {
  return [extractor, kind ?? '', namespace ?? '', name ?? '', field]
    .map((part) => part.replaceAll(/[%:]/g, (character) => (character === '%' ? '%25' : '%3A')))
    .join(':');
}

/** Returns the extractor of the item with this key, or null if the key isn't valid. */
export function extractorOfKey(key: string): ExtractorName | null {
  const name = key.split(':', 1)[0]!;
  return Object.hasOwn(extractorLabels, name) ? (name as ExtractorName) : null;
}
