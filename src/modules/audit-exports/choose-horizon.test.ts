import { expect, test } from 'vitest';
import { chooseHorizon, type Horizon } from './choose-horizon.ts';

const horizon = (id: number, ...writers: string[]): Horizon => ({ id, writers });

test.each<[string, Horizon, Horizon | null, number | null, Horizon | null]>([
  ['nobody writes', horizon(50), null, 50, null],
  ['nobody writes any more', horizon(60), horizon(50, '3/7'), 60, null],
  ['somebody writes for the first time', horizon(50, '3/7'), null, null, horizon(50, '3/7')],
  ['the same still write', horizon(60, '3/7', '4/1'), horizon(50, '3/7'), null, horizon(50, '3/7')],
  [
    'one of them still writes',
    horizon(60, '4/1'),
    horizon(50, '3/7', '4/1'),
    null,
    horizon(50, '3/7', '4/1'),
  ],
  ['only others write', horizon(60, '3/8'), horizon(50, '3/7'), 50, horizon(60, '3/8')],
])('when %s', (_, { id, writers }, waiting, reached, expected) => {
  expect(chooseHorizon({ newestId: id, writers }, waiting)).toEqual({ reached, waiting: expected });
});
