import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import type { Schemas as AgentSchemas } from '../../src/generated/agent-api.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createChatLink, createLoginLink } from '../../src/modules/accounts/index.ts';
import { loadLifecycles } from '../../src/modules/reference/load-lifecycles.ts';
import type { Database } from '../../src/platform/database/index.ts';
import type { KeyRole, Role } from '../../src/platform/http/index.ts';
import { gitHubClaims, startCiIssuer } from '../helpers/ci-issuer.ts';
import { insertItems } from '../helpers/discovery-fixture.ts';
import { lifecycleProduct } from '../helpers/reference-fixture.ts';

/** Kinds of resources that IDs and keys of the interfaces identify. */
export type ResourceKind =
  | 'gather_job'
  | 'scrape_job'
  | 'helm_sync_job'
  | 'discovery_job'
  | 'discovered_item'
  | 'release'
  | 'rule'
  | 'alert'
  | 'alert_config'
  | 'channel'
  | 'notification_rule'
  | 'silence'
  | 'freshness_target'
  | 'artifact_alias'
  | 'artifact_correction'
  | 'hook'
  | 'audit_export'
  | 'deployment_trust'
  | 'delivery'
  | 'api_key'
  | 'member'
  | 'invitation'
  | 'session'
  | 'saved_view'
  | 'identity'
  | 'chat_account'
  | 'agent'
  | 'task'
  | 'configuration_apply'
  | 'organization';

export const roles = ['viewer', 'member', 'admin', 'owner'] as const satisfies Role[];
export const keyRoles = [...roles, 'agent', 'reporter'] as const satisfies (Role | KeyRole)[];

/** An organization with at least one resource of each kind, created through the API. */
export interface World {
  baseUrl: string;
  organizationId: number;
  /** Part of the name of every resource in the world. */
  marker: string;
  /** IDs by kind. Some kinds have several resources in different states. */
  ids: Record<ResourceKind, number[]>;
  /** An API key of each role. */
  keys: Record<Role | KeyRole, string>;
  /** A session of each role. */
  logins: Record<Role, Login>;
  /** Client with a session of the owner. */
  owner: ApiClient;
  /** Client with a key that has the admin role. */
  admin: ApiClient;
  /** Client with a key that has the agent role. */
  agent: ApiClient;
  /** Lease token of the leased task. */
  leaseToken: string;
  make: ResourceFactories;
}

export interface Login {
  email: string;
  password: string;
  token: string;
  memberId: number;
  /** Both cookies in the form `name=value`. */
  cookies: string;
}

export interface WorldOptions {
  baseUrl: string;
  /** Credentials of a user whose only role is owner. */
  owner: { email: string; password: string };
  /** URL of an inbox that returns 410 for the path `/gone` and 200 for all others. */
  webhookUrl: string;
  /**
   * Database for resources that only scans create. Without a database, the world doesn't have these
   * resources.
   */
  db?: Database;
}

export async function buildWorld({ baseUrl, owner, webhookUrl, db }: WorldOptions): Promise<World> {
  const marker = `thing-${randomBytes(6).toString('hex')}`;
  const first = await logIn(baseUrl, owner);
  const ownerApi = createApiClient({ baseUrl, token: first.token });
  const organizationId = first.organizationId;

  const keys = {} as World['keys'];
  for (const role of keyRoles) {
    keys[role] = (await ownerApi.call('createAPIKey', { body: { name: `${marker} ${role}`, role } })).key;
  }
  const logins = {
    owner: first,
    admin: await makeMember(baseUrl, ownerApi, 'admin'),
    member: await makeMember(baseUrl, ownerApi, 'member'),
    viewer: await makeMember(baseUrl, ownerApi, 'viewer'),
  };

  const admin = createApiClient({ baseUrl, apiKey: keys.admin });
  const agent = createApiClient({ baseUrl, apiKey: keys.agent });
  // Set a long lease, so that a leased task isn't assigned to another agent during the tests.
  await admin.call('putOrgOverride', { path: { key: 'task.lease_seconds' }, body: { value: 3_600 } });
  const make = createResourceFactories({
    baseUrl,
    marker,
    owner: ownerApi,
    admin,
    agent,
    webhookUrl,
    ...(db && {
      stored: {
        db,
        organizationId,
      },
    }),
  });

  const rule = await make.rule();
  const gatherJob = await make.gatherJob();
  const scrapeJob = await make.scrapeJob();
  const helmSyncJob = await make.helmSyncJob();
  const discoveryJob = await make.discoveryJob();
  const discoveredItem = await make.discoveredItem(discoveryJob);
  const okChannel = await make.channel();
  const goneChannel = await make.channel({ url: `${webhookUrl}gone` });
  const freshnessTarget = await make.freshnessTarget();
  const artifactAlias = await make.artifactAlias();
  const artifactCorrection = await make.artifactCorrection();
  const silence = await make.silence();
  const hook = await make.hook();
  const auditExport = await make.auditExport();
  const deploymentTrust = await make.deploymentTrust();
  const notificationRule = await make.notificationRule({ channel_ids: [okChannel, goneChannel] });
  await ownerApi.call('updateNotificationSettings', { body: { default_channel_id: okChannel } });
  await make.templateOverride();

  await make.gathered();
  const config = await make.alertConfig({
    rule_id: rule,
    gather_job_id: gatherJob,
    scrape_job_id: scrapeJob,
  });
  await make.deployed(scrapeJob, '1.0.0');
  await make.deployment();
  const alert = await make.openAlertOf(config);
  const resolved = await make.resolvedAlert();
  const [sent, dead] = await Promise.all([
    make.deliveryTo(okChannel, 'succeeded'),
    make.deliveryTo(goneChannel, 'dead_letter'),
  ]);
  // The response 410 disabled the channel, so enable it again.
  await admin.call('updateNotificationChannel', { path: { id: goneChannel }, body: { is_active: true } });

  const { agentId, task, leaseToken, scrapeJobId } = await make.task();
  const releases = await admin.call('listReleases', { query: { gather_job_id: gatherJob } });
  const fed = await admin.call('listGatherJobs', { query: { helm_sync_job_id: helmSyncJob } });
  const apiKeys = await admin.call('listAPIKeys', { query: { limit: 200 } });
  const members = await admin.call('listMembers', {});
  const configs = await admin.call('listAlertConfigs', {});
  for (const [role, login] of Object.entries(logins)) {
    logins[role as Role].memberId = members.items.find((each) => each.email === login.email)!.id;
  }
  return {
    baseUrl,
    organizationId,
    marker,
    ids: {
      gather_job: [gatherJob, ...fed.items.map(({ id }) => id)],
      scrape_job: [scrapeJob, scrapeJobId],
      helm_sync_job: [helmSyncJob],
      discovery_job: [discoveryJob],
      discovered_item: [discoveredItem],
      release: releases.items.map(({ id }) => id),
      rule: [rule],
      alert: [alert, resolved],
      alert_config: configs.items.map(({ id }) => id),
      channel: [okChannel, goneChannel],
      notification_rule: [notificationRule],
      silence: [silence],
      freshness_target: [freshnessTarget],
      artifact_alias: [artifactAlias],
      artifact_correction: [artifactCorrection],
      hook: [hook],
      audit_export: [auditExport],
      deployment_trust: [deploymentTrust],
      delivery: [sent, dead],
      api_key: apiKeys.items.map(({ id }) => id),
      member: members.items.map(({ id }) => id),
      invitation: [(await make.invitation()).id],
      session: (await ownerApi.call('listSessions', {})).items.map(({ id }) => id),
      saved_view: [await make.savedView()],
      identity: [await make.identity(logins.viewer.memberId)],
      chat_account: [await make.chatAccount(logins.viewer.memberId)],
      agent: [agentId],
      task: [task],
      configuration_apply: [await make.configurationApply()],
      organization: [organizationId],
    },
    keys,
    logins,
    owner: ownerApi,
    admin,
    agent,
    leaseToken,
    make,
  };
}

export function oneDayFromNow(): string {
  return new Date(Date.now() + 86_400_000).toISOString();
}

export type ResourceFactories = ReturnType<typeof createResourceFactories>;

interface MakerOptions {
  baseUrl: string;
  marker: string;
  owner: ApiClient;
  admin: ApiClient;
  agent: ApiClient;
  webhookUrl: string;
  stored?: { db: Database; organizationId: number };
}

type Task = AgentSchemas['ClaimTasksResponse']['tasks'][number];
type Body<Name extends keyof Schemas> = Partial<Schemas[Name]>;

const capabilities = ['gather:github_releases', 'gather:git_tags', 'scrape', 'helm_sync'];

/** Returns functions that each create a resource of one kind through the API and return its ID. */
export function createResourceFactories({
  baseUrl,
  marker,
  owner,
  admin,
  agent,
  webhookUrl,
  stored,
}: MakerOptions) {
  let count = 0;
  const name = () => `${marker} ${++count}`;
  let issuer: ReturnType<typeof startCiIssuer> | undefined;
  const trustOf = (issuer: string) => ({
    name: name(),
    issuer,
    claims: { repository: 'acme/checkout' },
    services: ['checkout'],
    environments: ['production'],
  });
  const idOf = async (made: Promise<{ id: number }>) => (await made).id;

  const make = {
    name,
    webhookUrl,
    rule: (body: Body<'CreateMonitoringRuleRequest'> = {}) =>
      idOf(
        admin.call('createRule', {
          body: { name: name(), rule_type: 'majors_behind', thresholds: { moderate: 1 }, ...body },
        }),
      ),
    gatherJob: (body: Body<'CreateGatherJobRequest'> = {}) =>
      idOf(
        admin.call('createGatherJob', {
          body: {
            name: name(),
            source_type: 'github_releases',
            artifact_name: `github.com/${marker}/${++count}`,
            ...body,
          },
        }),
      ),
    /** Creates a manual scrape job. */
    scrapeJob: (body: Body<'CreateScrapeJobRequest'> = {}) =>
      idOf(admin.call('createScrapeJob', { body: { name: name(), parser_type: 'manual', ...body } })),
    gitScrapeJob: (body: Body<'CreateScrapeJobRequest'> = {}) =>
      make.scrapeJob({
        parser_type: 'yq',
        repository_url: `https://git.example.com/${marker}`,
        target_file: 'values.yaml',
        parse_expression: '.image.tag',
        ...body,
      }),
    helmSyncJob: (body: Body<'CreateHelmSyncJobRequest'> = {}) =>
      idOf(
        admin.call('createHelmSyncJob', {
          body: { name: name(), repository_url: `https://charts.example.com/${marker}-${++count}`, ...body },
        }),
      ),
    discoveryJob: (body: Body<'CreateDiscoveryJobRequest'> = {}) =>
      idOf(
        admin.call('createDiscoveryJob', {
          body: { name: name(), repository_url: `https://git.example.com/${marker}-${++count}`, ...body },
        }),
      ),
    /**
     * Creates an item whose artifact no other item uses. Without a database, returns an ID that doesn't
     * exist.
     */
    async discoveredItem(discoveryJobId?: number) {
      if (!stored) return 1;
      const [id] = await insertItems(
        stored.db,
        stored.organizationId,
        discoveryJobId ?? (await make.discoveryJob()),
        [
          {
            key: `${marker} ${++count}`,
            path: `${marker}/${count}.yaml`,
            labels: { environment: marker },
            artifact_name: `${marker}/${count}`,
            artifact_purl: null,
            version: 'latest',
            version_state: 'floating',
            reason: 'floating',
            digest: `sha256:${'d'.repeat(64)}`,
            matched_version: `1.0.0-${marker}`,
          },
        ],
      );
      return id!;
    },
    channel: (body: Body<'CreateNotificationChannelRequest'> = {}) =>
      idOf(
        admin.call('createNotificationChannel', {
          body: { name: name(), url: `${webhookUrl}${marker}`, ...body },
        }),
      ),
    auditExport: () => idOf(admin.call('createAuditExport', { body: { name: name(), url: webhookUrl } })),
    deploymentTrust: (body: Body<'CreateDeploymentTrustRequest'> = {}) =>
      idOf(
        owner.call('createDeploymentTrust', {
          body: { ...trustOf('https://token.actions.githubusercontent.com'), ...body },
        }),
      ),
    /** Returns a trust and an ID token that it allows, as the body of an exchange. */
    async identityToken() {
      issuer ??= startCiIssuer();
      const { issuer: url, sign } = await issuer;
      const { code } = await owner.call('createDeploymentTrust', { body: trustOf(url) });
      return { trust: code, id_token: await sign(gitHubClaims(url, baseUrl)) };
    },
    hook: () => idOf(admin.call('createHook', { body: { name: name(), kind: 'github' } })),
    artifactCorrection: (body: Partial<Body<'CreateArtifactCorrectionRequest'>> = {}) =>
      idOf(
        admin.call('createArtifactCorrection', {
          body: {
            artifact: `image:registry.local/${name()}`,
            source_type: 'github_releases',
            artifact_name: 'github.com/acme/shop',
            ...body,
          },
        }),
      ),
    artifactAlias: (body: Partial<Body<'CreateArtifactAliasRequest'>> = {}) =>
      idOf(
        admin.call('createArtifactAlias', {
          body: {
            name: name(),
            prefix: `mirror-${randomBytes(6).toString('hex')}.acme.dev/hub/`,
            upstream_prefix: 'docker.io/',
            ...body,
          },
        }),
      ),
    freshnessTarget: (body: Partial<Body<'CreateFreshnessTargetRequest'>> = {}) =>
      idOf(
        admin.call('createFreshnessTarget', {
          body: { name: name(), metric: 'exposure_days', limit: 90, ...body },
        }),
      ),
    /** Creates a view that is shared with all members. */
    savedView: () =>
      idOf(
        owner.call('createSavedView', {
          body: { page: 'software', name: name(), search: { q: marker }, is_shared: true },
        }),
      ),
    /**
     * Creates a product, which all organizations share. Without a database, returns a name that no product
     * has.
     */
    async lifecycleProduct() {
      if (!stored) return 'none';
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM lifecycle_products`.execute(stored.db);
      const names = Array.from({ length: rows[0]!.count + 1 }, (_, index) => `product-${index + 1}`);
      await loadLifecycles(stored.db, {
        asOfMs: Date.parse('2026-01-01T00:00:00Z'),
        products: names.map((each) => lifecycleProduct(each, { '1': '2030-01-01' })),
      });
      return names.at(-1)!;
    },
    notificationRule: (body: Body<'CreateNotificationRuleRequest'> = {}) =>
      idOf(admin.call('createNotificationRule', { body: { name: name(), ...body } })),
    /** Creates a silence that doesn't match alerts of other tests. */
    silence: (body: Partial<Body<'CreateSilenceRequest'>> = {}) =>
      idOf(
        admin.call('createSilence', {
          body: {
            label_matchers: [{ label: 'silenced', operator: '=', value: name() }],
            ends_at: oneDayFromNow(),
            reason: name(),
            ...body,
          },
        }),
      ),
    /** Creates a silence that has ended. */
    async endedSilence() {
      const id = await make.silence();
      await admin.call('updateSilence', { path: { id }, body: { ends_at: '2020-01-01T00:00:00.000Z' } });
      return id;
    },
    /** Creates a rule and deletes its only channel. */
    async strandedNotificationRule() {
      const channel = await make.channel();
      const id = await make.notificationRule({ channel_ids: [channel] });
      await admin.call('deleteNotificationChannel', { path: { id: channel } });
      return id;
    },
    /** Applies an empty configuration. */
    configurationApply: () =>
      idOf(admin.call('applyConfiguration', { query: { fingerprint: '0'.repeat(64) }, body: {} })),
    async templateOverride(category: Schemas['NotificationTemplateCategory'] = 'resolved') {
      const body = `{"text": "${marker}"}`;
      await admin.call('updateNotificationTemplate', { path: { category }, body: { body } });
    },
    async alertConfig(body: Body<'CreateAlertConfigRequest'> = {}) {
      const parts = {
        rule_id: body.rule_id ?? (await make.rule()),
        gather_job_id: body.gather_job_id ?? (await make.gatherJob()),
        scrape_job_id: body.scrape_job_id ?? (await make.scrapeJob()),
      };
      const config = { name: name(), labels: { team: marker }, ...body, ...parts };
      return idOf(admin.call('createAlertConfig', { body: config }));
    },
    /** Reports the deployment of a new service, which creates its scrape job. */
    async deployment() {
      const body = { service: name(), environment: 'production', version: '1.0.0', labels: { team: marker } };
      const { deployment } = await admin.call('reportDeployment', { body });
      return deployment.id;
    },
    async deployed(scrapeJobId: number, version: string) {
      return idOf(admin.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version } }));
    },

    /** Registers an agent and completes all pending tasks. */
    async gathered() {
      for (let tasks = await make.claimed(); tasks.length > 0; tasks = await make.claimed()) {
        for (const task of tasks) await make.done(task);
      }
    },
    async heartbeat() {
      const beat = {
        hostname: marker,
        version: '0.1.0',
        capabilities,
        credential_names: [marker],
        running: [],
      };
      return (await agent.call('sendHeartbeat', { body: { name: marker, ...beat } })).agent_id;
    },
    async claimed() {
      const agent_id = await make.heartbeat();
      const wish = { agent_id, capabilities, credential_names: [marker], max: 50, wait_seconds: 0 };
      return (await agent.call('claimTasks', { body: wish })).tasks;
    },
    async done(task: Task, items = resultsOf(task)) {
      const path = { id: task.task_id };
      const { lease_token } = task;
      await agent.call('submitTaskResults', { path, body: { lease_token, sequence: 1, items } });
      await agent.call('completeTask', { path, body: { lease_token, parts: 1, summary: taskSummary } });
    },
    /** Creates a task that an agent has leased but not completed. */
    async task() {
      await make.gathered();
      const scrapeJobId = await make.gitScrapeJob();
      const [task] = await make.claimed();
      if (!task) throw new Error('no task was there to claim');
      return {
        agentId: await make.heartbeat(),
        task: task.task_id,
        leaseToken: task.lease_token,
        scrapeJobId,
      };
    },

    async gatherTask() {
      await make.gathered();
      await make.gatherJob();
      const [task] = await make.claimed();
      if (task?.kind !== 'gather') throw new Error('no gather task was there to claim');
      return { task: task.task_id, leaseToken: task.lease_token };
    },

    /**
     * Leases a task that fetches known vulnerabilities. This task belongs to all organizations, so an agent
     * of one organization doesn't normally receive it.
     */
    async referenceTask(name: 'epss' | 'vulnerabilities') {
      if (!stored) return { task: 1, leaseToken: 'none' };
      const agentId = await make.heartbeat();
      const leaseToken = crypto.randomUUID();
      const source = sql`(SELECT id FROM reference_sources WHERE organization_id = 1 AND name = ${name})`;
      await sql`DELETE FROM runs WHERE organization_id = 1 AND reference_source_id = ${source}`.execute(
        stored.db,
      );
      const { rows } = await sql<{ id: number }>`
        INSERT INTO runs (organization_id, kind, reference_source_id, trigger, capability, status, agent_organization_id,
          agent_id, lease_token, lease_until, started_at)
        VALUES (1, 'reference', ${source}, 'schedule', ${`reference:${name}`}, 'in_progress', ${stored.organizationId},
          ${agentId}, ${leaseToken}, pacekeeper_now() + interval '1 hour', pacekeeper_now())
        RETURNING id`.execute(stored.db);
      return { task: rows[0]!.id, leaseToken };
    },

    /** Creates an alert configuration with an outdated version and its open alert. */
    async openAlert() {
      const scrapeJob = await make.scrapeJob();
      const gatherJob = await make.gatherJob();
      await make.gathered();
      await make.deployed(scrapeJob, '1.0.0');
      return make.openAlertOf(await make.alertConfig({ gather_job_id: gatherJob, scrape_job_id: scrapeJob }));
    },
    async resolvedAlert() {
      const id = await make.openAlert();
      await admin.call('resolveAlert', { path: { id } });
      return id;
    },
    openAlertOf: (configId: number) =>
      until(`an alert of configuration ${configId}`, async () => {
        await admin.call('evaluateRules');
        const { items } = await admin.call('listAlerts', { query: { alert_config_id: configId } });
        return items[0]?.id;
      }),
    deliveryTo: (channelId: number, status: Schemas['NotificationDeliveryStatus']) =>
      until(`a delivery to channel ${channelId} that is ${status}`, async () => {
        const { items } = await admin.call('listNotificationDeliveries', {
          query: { channel_id: channelId, status },
        });
        return items[0]?.id;
      }),
    /** Creates a dead letter for an enabled channel. */
    async deadDelivery() {
      const channel = await make.channel({ url: `${webhookUrl}gone` });
      const rule = await make.notificationRule({ channel_ids: [channel], priority: 0 });
      await make.openAlert();
      const delivery = await make.deliveryTo(channel, 'dead_letter');
      await admin.call('deleteNotificationRule', { path: { id: rule } });
      await admin.call('updateNotificationChannel', { path: { id: channel }, body: { is_active: true } });
      return delivery;
    },

    apiKey: (body: Body<'CreateAPIKeyRequest'> = {}) =>
      owner.call('createAPIKey', { body: { name: name(), role: 'viewer', ...body } }),
    async deactivatedKey() {
      const { api_key } = await make.apiKey();
      await admin.call('deactivateAPIKey', { path: { id: api_key.id } });
      return api_key.id;
    },
    member: (role: Role = 'viewer') => makeMember(baseUrl, owner, role),
    async memberId(role: Role = 'viewer') {
      const { email } = await make.member(role);
      return (await admin.call('listMembers', { query: { q: email } })).items[0]!.id;
    },
    /** Links a login identity to a member. Without a database, returns an ID that doesn't exist. */
    async identity(memberId: number) {
      if (!stored) return 1;
      const { rows } = await sql<{ id: number }>`
        INSERT INTO user_identities (user_id, issuer, subject)
        SELECT user_id, 'https://login.example.com', ${`${marker} ${++count}`} FROM memberships
        WHERE organization_id = ${stored.organizationId} AND id = ${memberId} RETURNING id`.execute(
        stored.db,
      );
      return rows[0]!.id;
    },
    /** Links a chat account to a member. Without a database, returns an ID that doesn't exist. */
    async chatAccount(memberId: number) {
      if (!stored) return 1;
      const { rows } = await sql<{ id: number }>`
        INSERT INTO chat_accounts (organization_id, user_id, platform, realm, workspace_id, workspace_name, chat_user_id,
          chat_user_name)
        SELECT organization_id, user_id, 'slack', 'x', 'T1', 'acme', ${`U${++count}`}, ${name()} FROM memberships
        WHERE organization_id = ${stored.organizationId} AND id = ${memberId} RETURNING id`.execute(
        stored.db,
      );
      return rows[0]!.id;
    },
    /**
     * Returns the token of an account link, as sent in response to a chat button. Without a database, returns
     * an unknown token.
     */
    async chatLink() {
      if (!stored) return 'x'.repeat(43);
      return createChatLink(stored.db, stored.organizationId, {
        platform: 'slack',
        realm: Buffer.from('x'),
        workspaceId: 'T1',
        workspaceName: 'acme',
        chatUserId: `V${++count}`,
        chatUserName: name(),
      });
    },
    /**
     * Returns the token of an operator-created login link for a new member. Without a database, returns an
     * unknown token.
     */
    async loginLink() {
      const { email } = await make.member();
      return stored ? (await createLoginLink(stored.db, email)).token : 'x'.repeat(43);
    },
    /**
     * Creates a member who has enabled two-factor authentication or only started the setup, with a valid
     * code.
     */
    async twoFactor(state: 'on' | 'started' = 'on') {
      const { token, cookies, password } = await make.member();
      const headers = { authorization: `Bearer ${token}`, cookie: cookies };
      const api = createApiClient({ baseUrl, headers });
      const { secret } = await api.call('startTwoFactor', { body: { password } });
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      if (state === 'started') return { as: { headers }, body: { code } };
      const { recovery_codes } = await api.call('confirmTwoFactor', { body: { code } });
      return { as: { headers }, body: { code: recovery_codes[0]! } };
    },
    /** Starts the login of a program, which waits for approval. */
    deviceLogin: () => createApiClient({ baseUrl }).call('startDeviceLogin'),
    async invitation(role: Role = 'viewer') {
      const email = `${randomBytes(6).toString('hex')}@example.org`;
      const { accept_url, invitation } = await owner.call('inviteMember', { body: { email, role } });
      return { id: invitation.id, email, token: tokenOf(accept_url) };
    },
    /** Returns the token of a reset link for a new member. */
    async resetToken() {
      const { reset_url } = await owner.call('createMemberResetLink', {
        path: { id: await make.memberId() },
      });
      return tokenOf(reset_url);
    },
  };
  return make;
}

const oldDay = '2024-01-10T10:00:00.000Z';

/** Returns the results that an agent submits: three releases, a version, or a chart. */
function resultsOf(task: Task): AgentSchemas['SubmitTaskResultsRequest']['items'] {
  const release = {
    app_version: null,
    released_at: oldDay,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
    digest: `sha256:${'d'.repeat(64)}`,
  };
  const releases = ['1.0.0', '2.0.0', '3.0.0'].map((tag) => ({ ...release, tag }));
  switch (task.kind) {
    case 'gather':
      return releases;
    case 'scrape':
      return [{ raw_version: '1.0.0', version: '1.0.0', commit_sha: 'a'.repeat(40) }];
    case 'helm_sync': {
      const chart = { name: 'chart', latest_version: '3.0.0', app_version: '1', description: null };
      return [{ chart: { ...chart, deprecated: false, version_count: 3 }, releases }];
    }
    case 'discovery':
      return [discoveredVersion];
    case 'reference':
      return [{ product: 'product-1', label: 'Product', purls: [], lines: [] }];
  }
}

const discoveredVersion: AgentSchemas['DiscoveryResultItem'] = {
  extractor: 'kubernetes',
  key: 'kubernetes:Deployment::web:containers[web]',
  place: {
    file: 'web.yaml',
    line: 3,
    document: 0,
    kind: 'Deployment',
    namespace: null,
    name: 'web',
    field: 'containers[web]',
  },
  blob_id: 'c'.repeat(40),
  artifact: {
    kind: 'image',
    name: 'ghcr.io/acme/web',
    purl: null,
  },
  version: '1.0.0',
  version_state: 'exact',
  digest: null,
  note: null,
  reason: null,
  proposal: null,
  labels: { service: 'web' },
};

export const taskSummary: AgentSchemas['TaskSummary'] = {
  not_modified: false,
  is_complete_list: true,
  validators: null,
  found: 1,
  skipped: 0,
  skipped_examples: [],
  requests: 1,
  waited_ms: 0,
};

export const foundVersion = { raw_version: '1.2.3', version: '1.2.3', commit_sha: 'b'.repeat(40) };

export const unchangedSummary = { ...taskSummary, not_modified: true, found: 0 };

export async function logIn(
  baseUrl: string,
  { email, password }: { email: string; password: string },
): Promise<Login & { organizationId: number }> {
  const { body, headers } = await clientFromAnywhere(baseUrl).send('login', { body: { email, password } });
  return {
    email,
    password,
    memberId: 0,
    token: body.access_token,
    organizationId: body.organization.id,
    cookies: cookiesOf(headers),
  };
}

/**
 * Returns a client with a random IP address, because each address is limited to 100 logins per minute. This
 * requires a server that trusts forwarded headers.
 */
function clientFromAnywhere(baseUrl: string): ApiClient {
  const address = [10, ...randomBytes(3)].join('.');
  return createApiClient({ baseUrl, headers: { 'x-forwarded-for': address } });
}

async function makeMember(baseUrl: string, owner: ApiClient, role: Role): Promise<Login> {
  const email = `${role}-${randomBytes(6).toString('hex')}@example.org`;
  const password = randomBytes(12).toString('hex');
  const { accept_url } = await owner.call('inviteMember', { body: { email, role } });
  const { body, headers } = await clientFromAnywhere(baseUrl).send('acceptInvitation', {
    body: { token: tokenOf(accept_url), name: email, password },
  });
  return { email, password, token: body.access_token, memberId: 0, cookies: cookiesOf(headers) };
}

function tokenOf(url: string): string {
  return url.slice(url.indexOf('#token=') + '#token='.length);
}

function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(20)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come`);
}
