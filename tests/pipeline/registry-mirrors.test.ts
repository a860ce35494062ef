import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { hasRegistry, startRegistry } from '../helpers/upstreams/registry-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer({ PACEKEEPER_EMBEDDED_AGENT: 'true', PACEKEEPER_LOG_LEVEL: 'error' });

test.skipIf(!hasRegistry)(
  'a row shows the latest release of a real registry and the newest one in its pull-through cache, which never changes the state',
  async () => {
    const world = await createPipelineWorld(server, inbox);
    const { api } = world;
    const ruleId = await world.createRule();
    const monitor = async (gatherJobId: number, version: string) => {
      const scrapeJobId = await world.createManualJob();
      await world.setVersion(scrapeJobId, version);
      const id = await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
      return async () => {
        await world.settled();
        return api.call('getAlertConfig', { path: { id } });
      };
    };
    const registry = await startRegistry();
    const cache = await startRegistry(registry.host);
    const name = 'acme/web';
    for (const tag of ['1.26.0', '1.27.0']) await registry.push(name, tag, tag);
    // While the cache can reach its upstream, it lists the tags of the upstream. Otherwise, it lists the tags
    // that were pulled through it.
    const headers = { accept: 'application/vnd.oci.image.manifest.v1+json' };
    for (const tag of ['1.26.0', '1.27.0'])
      expect((await fetch(`http://${cache.host}/v2/${name}/manifests/${tag}`, { headers })).status).toBe(200);
    await registry.push(name, '1.29.0', '1.29.0');
    registry.intercept = (request, response) => {
      const isOfCache = !request.headers['user-agent']?.startsWith('Pacekeeper');
      if (isOfCache) response.writeHead(503).end();
      return isOfCache;
    };

    await api.call('createArtifactAlias', {
      body: { name: 'Cache', prefix: `${cache.host}/`, upstream_prefix: `${registry.host}/` },
    });
    const endOf = async (id: number) => {
      const status = async () => (await api.call('getGatherJob', { path: { id } })).status;
      await expect.poll(status).toMatch(/completed|failed/);
      return status();
    };
    const gather = async (host: string) => {
      const { id } = await api.call('createGatherJob', {
        body: { name: host, source_type: 'oci_registry', artifact_name: `${host}/${name}` },
      });
      expect(await endOf(id)).toBe('completed');
      return id;
    };
    const originalId = await gather(registry.host);
    const cacheId = await gather(cache.host);
    const readOriginal = await monitor(originalId, '1.29.0');
    const readCache = await monitor(cacheId, '1.27.0');
    const both = {
      state: 'ok',
      latest_version: '1.29.0',
      mirror: { gather_job_id: cacheId, version: '1.27.0', last_success_at: expect.any(String) },
    };
    expect(await readOriginal()).toMatchObject(both);
    expect(await readCache()).toMatchObject({
      state: 'no_data',
      state_reason: 'mirror_only',
      latest_version: '1.27.0',
      mirror_of: `${registry.host}/${name}`,
    });

    cache.intercept = (_, response) => {
      response.writeHead(404).end();
      return true;
    };
    await api.call('runGatherJob', { path: { id: cacheId } });
    expect(await endOf(cacheId)).toBe('failed');
    await sql`UPDATE gather_jobs SET failing_since = pacekeeper_now() WHERE id = ${cacheId}`.execute(
      server.db,
    );
    await api.call('evaluateRules');
    expect(await readOriginal()).toMatchObject({
      ...both,
      mirror: { ...both.mirror, failing_since: expect.any(String) },
    });
    await cache.close();
    await registry.close();
  },
);
