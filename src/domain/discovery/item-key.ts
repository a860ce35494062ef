import type { Fact } from './fact.ts';

/** What an item is, without where its file is. Parts are escaped, so that different parts never give the same key. */
export function itemKey({
  extractor,
  place: { kind, namespace, name, field },
}: Pick<Fact, 'extractor' | 'place'>): string {
  return [extractor, kind ?? '', namespace ?? '', name ?? '', field]
    .map((part) => part.replaceAll(/[%:]/g, (character) => (character === '%' ? '%25' : '%3A')))
    .join(':');
}
