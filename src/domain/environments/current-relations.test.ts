import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentRelations } from './current-relations.ts';
import { jobsWithHistory, serviceCells } from './service-cells.ts';

const environments = ['dev', 'staging', 'production'];
const version = fc.constantFrom(
  '1.0.0',
  'v1.0.0',
  '1.1.0',
  '1.10.0',
  '2.0.0-rc.1',
  '2.0.0',
  '1.1.0-alpine',
  'web-1.2.0',
  'latest',
  '7014533',
  'b4c614f',
  'release-d7eed0c',
);
const jobs = fc
  .array(
    fc.record({
      environment: fc.constantFrom(...environments),
      version,
      sinceMs: fc.nat(5),
      history: fc.array(fc.record({ version, atMs: fc.nat(5) }), { maxLength: 6 }),
    }),
    { maxLength: 6 },
  )
  .map((all) => all.map((job, index) => ({ ...job, scrapeJobId: index + 1 })));

test('relations derived from current versions alone match those derived from the full history', () => {
  fc.assert(
    fc.property(jobs, (all) => {
      const relations = currentRelations(environments, all);
      const { cells } = serviceCells(environments, all, (id) => all[id - 1]!.history);
      fc.pre(relations !== null);
      expect(cells.map(({ relation }) => relation)).toEqual(relations);
    }),
    { numRuns: 2_000 },
  );
});

test('only jobs whose history affects the comparison are selected', () => {
  const deployed = (environment: string, text: string, scrapeJobId: number) => ({
    environment,
    version: text,
    scrapeJobId,
    sinceMs: 0,
  });
  const idsOf = (...all: ReturnType<typeof deployed>[]) =>
    jobsWithHistory(environments, all).map(({ scrapeJobId }) => scrapeJobId);
  expect(idsOf(deployed('dev', 'v1', 1), deployed('staging', '1', 2))).toEqual([]);
  expect(idsOf(deployed('dev', '2', 1), deployed('production', '1', 2))).toEqual([1]);
  expect(idsOf(deployed('dev', '1', 1), deployed('staging', '2', 2))).toEqual([]);
  expect(idsOf(deployed('dev', 'b4c614f', 1), deployed('staging', 'd7eed0c', 2))).toEqual([1, 2]);
});
