import type { AlertConfigAccess } from '../../alerts/index.ts';
import { lockAlertConfig } from './alert-config-queries.ts';
import { changeAlertConfigState } from './change-alert-config-state.ts';

/**
 * Returns the functions with which actions on alerts access alert configurations. They are injected, because the alerts
 * module can't import the monitoring module.
 */
export const alertConfigAccess: AlertConfigAccess = {
  async lock(tx, organizationId, id) {
    const config = await lockAlertConfig(tx, organizationId, id);
    return config && { state: config.state, stateReason: config.state_reason };
  },
  change: (tx, organizationId, id, change, evaluateAt) =>
    changeAlertConfigState(tx, organizationId, id, change, evaluateAt),
};
