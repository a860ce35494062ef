import { expect, test } from 'vitest';
import { findLinkUrl, isLinkTooLong, maxParsedHeader, nextLink } from './link-header.ts';

const next = '<https://h.example/?page=2>';
const answer = (link?: string) => ({ headers: { link } });

test.each([
  [`${next}; rel="next"`],
  [`${next};rel=next`],
  [`${next} ; REL = 'Next'`],
  [`${next}; rel="prev next"`],
  [`${next}; rel="next prev"; title="Next page"`],
  [`${next}; title="Next page"; rel="next"`],
  [`<https://h.example/?page=9>; rel="last", ${next}; rel="next"`],
  [`${next}; rel=next, <https://h.example/?page=9>; rel=last`],
  [
    `<https://h.example/?page=1>; rel="first prev",${next}; rel="next",<https://h.example/?page=9>; rel="last"`,
  ],
])('the next page is found in %s', (link) => {
  expect(nextLink(answer(link))).toBe('https://h.example/?page=2');
});

test.each([
  [undefined],
  [''],
  ['<>; rel="next"'],
  [next],
  [`${next}; rel="last"`],
  [`${next}; rel="nextpage"`],
  [`${next}; title="rel next"`],
  [`${next}; prerel=next`],
  [`https://h.example/?page=2; rel="next"`],
])('no next page is found in %s', (link) => {
  expect(nextLink(answer(link))).toBeNull();
});

test('the link to the last page is found among other links', () => {
  expect(findLinkUrl(answer(`${next}; rel="next", </?page=7>; rel="last"`), 'last')).toBe('/?page=7');
});

const fill = (head: string, atom: string, tail: string) =>
  head + atom.repeat(Math.floor((maxParsedHeader - head.length - tail.length) / atom.length)) + tail;

test.each([
  [fill(`${next}; rel=`, ' ', 'x')],
  [fill(next, '; rel= a', '')],
  [fill(`${next}; rel="`, 'a ', '')],
  [fill(next, ';rel=next', 'x')],
  [fill('', '<', '')],
  [fill('', '<>', '')],
])('a malicious header of the maximum length is parsed', (link) => {
  expect(isLinkTooLong(answer(link))).toBe(false);
  const found = nextLink(answer(link));
  expect(found).toBe(link.includes(';rel=next;') ? 'https://h.example/?page=2' : null);
});

test('a header with more than 4,096 characters counts as missing', () => {
  const long = answer(fill(`${next}; rel="next"; title="`, 'a', '"') + ' '.repeat(100));
  expect(isLinkTooLong(long)).toBe(true);
  expect(nextLink(long)).toBeNull();
  expect(isLinkTooLong(answer())).toBe(false);
});
