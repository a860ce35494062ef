import { expect, test } from 'vitest';
import { maxNextLength } from './attempt-cookie.ts';
import { toLocalPath } from './serve-single-sign-on.ts';

const baseUrl = 'https://pacekeeper.example.com';

test.each(['a', 'é', '€', '"', ' x'])(
  'a path that repeats the character “%s” is kept only if it is short after percent-encoding',
  (character) => {
    for (let count = 1; count <= maxNextLength; count *= 2)
      expect(toLocalPath(`/${character.repeat(count)}`, baseUrl).length).toBeLessThanOrEqual(maxNextLength);
    const query = toLocalPath(`/?${character.repeat(500)}#${character.repeat(10)}`, baseUrl);
    expect(query.length).toBeLessThanOrEqual(maxNextLength);
    expect(toLocalPath(`/${character.repeat(20)}`, baseUrl)).toBe(encodeURI(`/${character.repeat(20)}`));
  },
);
