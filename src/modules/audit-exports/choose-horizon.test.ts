import { expect, test } from 'vitest';
import { chooseHorizon, type Horizon } from './choose-horizon.ts';

const horizon = (id: number, transaction: bigint): Horizon => ({ id, transaction });

test.each<[string, [number, bigint, bigint], Horizon | null, number | null, Horizon | null]>([
  ['nothing runs', [50, 100n, 101n], null, 50, null],
  ['only later transactions run', [50, 100n, 100n], horizon(40, 90n), 50, null],
  ['something runs for the first time', [50, 100n, 95n], null, null, horizon(50, 100n)],
  ['it still runs', [60, 110n, 95n], horizon(50, 100n), null, horizon(50, 100n)],
  ['it has ended, and others run', [60, 110n, 105n], horizon(50, 100n), 50, horizon(60, 110n)],
  ['the others are exactly the later ones', [60, 110n, 100n], horizon(50, 100n), 50, horizon(60, 110n)],
  ['the database was restored', [60, 10n, 5n], horizon(50, 100n), null, horizon(60, 10n)],
])('when %s', (_, [newestId, transaction, oldestRunning], waiting, reached, expected) => {
  expect(chooseHorizon({ newestId, transaction, oldestRunning }, waiting)).toEqual({
    reached,
    waiting: expected,
  });
});
