import { expect, test } from 'vitest';
import { walkRules } from './walk-rules.ts';

const ops = { id: 1, name: 'Ops', would_notify: true, reason: null };
const chat = { id: 2, name: 'Chat', would_notify: true, reason: null };
const matched = (...channels: (typeof ops)[]) => ({ matched: true, mismatches: [], channels });
const missed = {
  matched: false,
  mismatches: [{ criterion: 'severities' as const, expected: 'critical', actual: 'high' }],
  channels: [],
};
const rules = [
  { id: 10, name: 'first', stop_processing: false },
  { id: 11, name: 'second', stop_processing: true },
  { id: 12, name: 'third', stop_processing: false },
];
const fallback = { id: 9, name: 'Default', isActive: true };

test('a rule that ends the walk leaves those after it unasked, and each channel is told once', () => {
  const results = new Map([
    [10, matched(ops)],
    [11, matched(ops, chat)],
    [12, matched(chat)],
  ]);
  const { outcomes, told } = walkRules(rules, results, fallback);
  expect([...outcomes].map(([id, { kind }]) => [id, kind])).toEqual([
    [10, 'matched'],
    [11, 'matched'],
    [12, 'not_asked'],
  ]);
  expect(told.map(({ name, via }) => [name, via])).toEqual([
    ['Ops', ['first', 'second']],
    ['Chat', ['second']],
  ]);
});

test('when no rule matches the fallback is told, if there is one', () => {
  const results = new Map(rules.map(({ id }) => [id, missed]));
  expect(walkRules(rules, results, fallback).told).toEqual([{ ...fallback, via: [] }]);
  expect(walkRules(rules, results, null).told).toEqual([]);
});

test('a match without a channel is a match: the fallback does not speak', () => {
  const results = new Map(rules.map(({ id }) => [id, id === 10 ? matched() : missed]));
  expect(walkRules(rules, results, fallback).told).toEqual([]);
});
