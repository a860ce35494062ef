import type { Tool } from './tool.ts';
import { getCaller } from './tools/caller-tool.ts';
import { getRelease, listChanges } from './tools/change-tools.ts';
import { listEnvironments, listLabels, listSoftware } from './tools/deployed-tools.ts';
import { explainState } from './tools/explain-state-tool.ts';
import { listExposures } from './tools/exposures-tool.ts';
import { listReleases } from './tools/release-tools.ts';
import { search } from './tools/search-tool.ts';
import { simulateRule } from './tools/simulate-rule-tool.ts';
import { listSupportEnds } from './tools/support-tool.ts';
import { getUpgrade, listUpgrades } from './tools/upgrade-tools.ts';

/** All tools for assistants, in the order in which they're listed. None of them changes anything. */
export const tools: readonly Tool[] = [
  listUpgrades,
  getUpgrade,
  explainState,
  listChanges,
  getRelease,
  listSoftware,
  listEnvironments,
  listExposures,
  listReleases,
  listSupportEnds,
  simulateRule,
  search,
  listLabels,
  getCaller,
];
