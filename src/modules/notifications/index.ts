/**
 * Who hears of what.
 *
 * - A *channel* is a webhook target; a *notification rule* chooses channels for events.
 * - A *delivery* is one event on its way to one channel, an *attempt* is one request.
 * - A *digest* is a delivery that carries the events of some minutes.
 */

export { type ChannelHandlerDeps, channelHandlers } from './channels/channel-handlers.ts';
export {
  type AcknowledgeTarget,
  makeAcknowledgeToken,
  readAcknowledgeToken,
} from './deliveries/acknowledge-link.ts';
export { sealChannelColumn } from './deliveries/channel-secrets.ts';
export {
  archiveRuleMatchesAcrossOrganizations,
  cancelOldWaitingDeliveriesAcrossOrganizations,
  deleteOldDeliveriesAcrossOrganizations,
} from './deliveries/delete-old-deliveries.ts';
export { type DeliveryHandlerDeps, deliveryHandlers } from './deliveries/delivery-handlers.ts';
export { listDeliveriesOfAlert } from './deliveries/delivery-queries.ts';
export { detachDeliveries } from './deliveries/detach-deliveries.ts';
export {
  type DeliveryPlan,
  type PlannedEvent,
  planDeliveries,
  type StoredAlertEvent,
} from './deliveries/plan-deliveries.ts';
export { planServiceEvent, type ServiceEvent } from './deliveries/plan-service-event.ts';
export { resealSecretsAcrossOrganizations } from './deliveries/reseal-secrets.ts';
export { type RemindedAlert, sendRemindersAcrossOrganizations } from './deliveries/send-reminders.ts';
export {
  type DeliveryLoop,
  type DeliveryLoopOptions,
  startDeliveryLoop,
} from './deliveries/start-delivery-loop.ts';
export { type LeftCriteria, leaveCriteria } from './rules/leave-criteria.ts';
export {
  type NotificationRuleHandlerDeps,
  notificationRuleHandlers,
} from './rules/notification-rule-handlers.ts';
export { notificationSettingsHandlers } from './settings/notification-settings-handlers.ts';
export { type TemplateHandlerDeps, templateHandlers } from './templates/template-handlers.ts';
