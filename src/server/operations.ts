import {
  apiKeyHandlers,
  deploymentTrustHandlers,
  feedbackHandlers,
  loginHandlers,
  memberHandlers,
} from '../modules/accounts/index.ts';
import { agentHandlers } from '../modules/agents/index.ts';
import { alertHandlers } from '../modules/alerts/index.ts';
import { auditHandlers } from '../modules/audit/index.ts';
import { auditExportHandlers } from '../modules/audit-exports/index.ts';
import { configurationHandlers } from '../modules/configuration/index.ts';
import {
  exposureHandlers,
  findScrapeJob,
  scrapeJobHandlers,
  toScrapeJob,
} from '../modules/deployed/index.ts';
import { deploymentHandlers } from '../modules/deployments/index.ts';
import {
  acceptanceHandlers,
  aliasHandlers,
  correctionHandlers,
  discoveryJobHandlers,
  itemHandlers,
  previewHandlers,
  requestScan,
} from '../modules/discovery/index.ts';
import { environmentHandlers } from '../modules/environments/index.ts';
import { freshnessHandlers } from '../modules/freshness/index.ts';
import { hookHandlers } from '../modules/hooks/index.ts';
import { badgeHandlers, calendarHandlers } from '../modules/links/index.ts';
import {
  alertConfigAccess,
  alertConfigHandlers,
  evaluateHandlers,
  findAlertConfig,
  findRule,
  forecastHandlers,
  patchTimesHandlers,
  ruleHandlers,
  rulePreviewHandlers,
  simulationHandlers,
  supportEndHandlers,
  toAlertConfig,
  toRule,
} from '../modules/monitoring/index.ts';
import { releaseNotesHandlers } from '../modules/notes/index.ts';
import {
  channelHandlers,
  deliveryHandlers,
  notificationRuleHandlers,
  notificationSettingsHandlers,
  silenceHandlers,
  templateHandlers,
} from '../modules/notifications/index.ts';
import { overviewHandlers } from '../modules/overview/index.ts';
import { referenceHandlers } from '../modules/reference/index.ts';
import { sampleDataHandlers } from '../modules/sample-data/index.ts';
import { settingHandlers } from '../modules/settings/index.ts';
import { exportHandlers, savedViewHandlers, softwareHandlers } from '../modules/software/index.ts';
import { createUpgradeCache, todayHandlers, upgradeHandlers } from '../modules/upgrades/index.ts';
import {
  createFindVersions,
  findGatherJob,
  gatherJobHandlers,
  gatherSourceHandlers,
  helmSyncJobHandlers,
  releaseHandlers,
  toGatherJob,
} from '../modules/upstream/index.ts';
import type { AgentOperations, AuthOperations, ClientOperations, Handlers } from '../platform/http/index.ts';
import type { ServerParts } from './server-parts.ts';
import { streamHandlers } from './stream-events.ts';
import { validationHandlers } from './validation-handlers.ts';

/** Returns the handlers of all operations in the contract. A missing handler is a compile error. */
export function createOperations(parts: ServerParts): {
  client: Handlers<keyof ClientOperations>;
  agent: Handlers<keyof AgentOperations>;
  auth: Handlers<keyof AuthOperations>;
} {
  const upgradeCache = createUpgradeCache(parts.db);
  const acting = { ...parts, configs: alertConfigAccess };
  const alerts = alertHandlers({ ...acting, readDetails });
  const findVersions = createFindVersions(parts.sandbox);
  const { listAgents, ...agent } = agentHandlers({ ...parts, findVersions });
  return {
    client: {
      ...gatherJobHandlers(parts),
      ...gatherSourceHandlers(parts),
      ...helmSyncJobHandlers(parts),
      ...releaseHandlers(parts),
      ...releaseNotesHandlers(parts),
      ...discoveryJobHandlers(parts),
      ...itemHandlers(parts),
      ...previewHandlers(parts),
      ...acceptanceHandlers(parts),
      ...aliasHandlers(parts),
      ...correctionHandlers(parts),
      ...scrapeJobHandlers({ ...parts, requestScan }),
      ...exposureHandlers(parts),
      ...ruleHandlers(parts),
      ...rulePreviewHandlers(parts),
      ...alertConfigHandlers(parts),
      ...badgeHandlers(parts),
      ...calendarHandlers(parts),
      ...evaluateHandlers(parts),
      ...simulationHandlers(parts),
      ...freshnessHandlers(parts),
      ...referenceHandlers(parts),
      ...forecastHandlers(parts),
      ...patchTimesHandlers(parts),
      ...supportEndHandlers(parts),
      ...alerts,
      ...upgradeHandlers({ ...acting, upgradeCache }),
      ...todayHandlers({ ...parts, upgradeCache }),
      ...channelHandlers(parts),
      ...templateHandlers(parts),
      ...notificationRuleHandlers(parts),
      ...notificationSettingsHandlers(parts),
      ...silenceHandlers(parts),
      ...deliveryHandlers(parts),
      ...settingHandlers(parts),
      ...hookHandlers(parts),
      ...auditExportHandlers(parts),
      ...configurationHandlers(parts),
      ...apiKeyHandlers(parts),
      ...deploymentTrustHandlers(parts),
      ...memberHandlers(parts),
      ...feedbackHandlers(parts),
      ...auditHandlers(parts),
      ...overviewHandlers(parts),
      ...environmentHandlers(parts),
      ...deploymentHandlers(parts),
      ...softwareHandlers(parts),
      ...exportHandlers(parts),
      ...savedViewHandlers(parts),
      ...sampleDataHandlers({ ...parts, findVersions }),
      ...streamHandlers(parts),
      ...validationHandlers(parts),
      listAgents,
    },
    agent,
    auth: loginHandlers(parts),
  };
}

const readDetails: Parameters<typeof alertHandlers>[0]['readDetails'] = async (db, caller, alertConfigId) => {
  const { organizationId } = caller;
  const config = await findAlertConfig(db, organizationId, alertConfigId);
  if (!config) return undefined;
  const [rule, scrapeJob, gatherJob] = await Promise.all([
    findRule(db, organizationId, config.rule_id),
    findScrapeJob(db, organizationId, config.scrape_job_id),
    findGatherJob(db, organizationId, config.gather_job_id),
  ]);
  if (!rule || !scrapeJob || !gatherJob) return undefined;
  return {
    alert_config: toAlertConfig(config),
    rule: toRule(rule),
    scrape_job: toScrapeJob(scrapeJob),
    gather_job: toGatherJob(gatherJob),
  };
};
