import { expect, test } from 'vitest';
import { type Horizon, nextVisibleHorizon } from './choose-horizon.ts';

const horizon = (id: number, ...writers: string[]): Horizon => ({ id, writers });

test.each<[string, Horizon, Horizon | null, number | null, Horizon | null]>([
  ['no transaction is writing', horizon(50), null, 50, null],
  ['no transaction is writing anymore', horizon(60), horizon(50, '3/7'), 60, null],
  ['a transaction is writing for the first time', horizon(50, '3/7'), null, null, horizon(50, '3/7')],
  [
    'the same transactions are still writing',
    horizon(60, '3/7', '4/1'),
    horizon(50, '3/7'),
    null,
    horizon(50, '3/7'),
  ],
  [
    'one of the transactions is still writing',
    horizon(60, '4/1'),
    horizon(50, '3/7', '4/1'),
    null,
    horizon(50, '3/7', '4/1'),
  ],
  ['only other transactions are writing', horizon(60, '3/8'), horizon(50, '3/7'), 50, horizon(60, '3/8')],
])(
  'exports can read up to an ID only when no earlier transaction can still add entries below it: %s',
  (_, { id, writers }, waiting, reached, expected) => {
    expect(nextVisibleHorizon({ newestId: id, writers }, waiting)).toEqual({ reached, waiting: expected });
  },
);
