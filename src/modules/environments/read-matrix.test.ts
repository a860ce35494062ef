import { expect, test } from 'vitest';
import { sharedTestServer } from '../../../tests/helpers/test-server.ts';
import type { ResultCache } from '../counts/index.ts';
import { readMatrix } from './read-matrix.ts';

const server = await sharedTestServer();

test('cached drift contains no versions', async () => {
  const { id: organizationId, api } = await server.createOrganization();
  const minors = Array.from({ length: 20 }, (_, index) => index);
  for (const [environment, major] of [
    ['a', 1],
    ['b', 2],
  ] as const)
    for (const minor of minors) {
      const version = `${major}.${minor}.0`;
      const { id } = await api.call('createScrapeJob', {
        body: { name: version, parser_type: 'manual', labels: { service: 'web', environment } },
      });
      await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    }
  const answers: unknown[] = [];
  const kept: ResultCache = {
    async read(_question, compute) {
      const answer = await compute();
      answers.push(answer);
      return answer;
    },
  };
  await readMatrix(server.db, kept, organizationId, { drift: 'any' }, { limit: 50, offset: 0 });
  expect(answers[0]).toEqual({ isAll: true, found: [{ service: 'web', component: '' }] });
});
