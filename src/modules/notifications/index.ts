/**
 * Routing and delivery of notifications.
 *
 * - A *channel* is a webhook receiver; a *notification rule* chooses channels for events.
 * - A *delivery* is one event for one channel; an *attempt* is one request.
 * - A *digest* is a delivery that combines the events of several minutes.
 * - A *silence* suspends notifications of matching alerts until it ends. Until then, unreported changes are
 *   kept in `silenced_alerts`.
 *
 * A delivery passes through the directories of `deliveries/`: *plan* stores it with the event, *worker*
 * claims channels with due work and records results, *message* creates the body, and *send* sends the
 * request, for tickets with *trackers*. *Worker* also retries and expires deliveries. *Model* contains the
 * queries that these directories share. *Secrets* encrypts the secrets of channels and masks them in bodies.
 */

export { checkChannelBody, newChannel, toChannelValues } from './channels/channel-body.ts';
export { channelEdits, decryptChannelAddress } from './channels/channel-edits.ts';
export { type ChannelHandlerDeps, channelHandlers } from './channels/channel-handlers.ts';
export {
  createUrlPolicy,
  findUrlIssues,
  maskUrl,
  type UrlPolicy,
  type UrlPolicyConfig,
} from './channels/webhook-url.ts';
export { type DeliveryHandlerDeps, deliveryHandlers } from './deliveries/delivery-handlers.ts';
export { listDeliveriesOfAlert } from './deliveries/delivery-queries.ts';
export { type ButtonTarget, readButtonToken } from './deliveries/message/chat-button.ts';
export {
  type ChatChannel,
  findChatChannel,
  findSlackChannelAcrossOrganizations,
  renderClickedMessage,
} from './deliveries/message/pressed-message.ts';
export {
  type ActiveSilences,
  readActiveSilences,
  toAlertSilence,
} from './deliveries/model/active-silences.ts';
export { toAlertEvent } from './deliveries/model/alert-event.ts';
export {
  archiveRuleMatchesAcrossOrganizations,
  cancelOldWaitingDeliveriesAcrossOrganizations,
  deleteOldDeliveriesAcrossOrganizations,
} from './deliveries/model/delete-old-deliveries.ts';
export { detachDeliveries, lockOpenDeliveries } from './deliveries/model/detach-deliveries.ts';
export { senderUrl } from './deliveries/model/event-data.ts';
export type { ServiceEvent, StoredAlertEvent } from './deliveries/model/stored-events.ts';
export { listTicketsOfAlert } from './deliveries/model/ticket-queries.ts';
export { countMessagesByChannel, simulateMessages } from './deliveries/plan/count-messages-by-channel.ts';
export {
  createOpeningDigestsAcrossOrganizations,
  openingDigestBatchSize,
} from './deliveries/plan/create-opening-digests.ts';
export { createParsingChangeDigestsAcrossOrganizations } from './deliveries/plan/form-reading-digests.ts';
export {
  endProblemsOfRemovedProvidersAcrossOrganizations,
  endProviderProblemAcrossOrganizations,
  notifyRejectedClientAcrossOrganizations,
} from './deliveries/plan/login-provider-problems.ts';
export {
  type DeliveryPlan,
  type PlannedEvent,
  planDeliveries,
  type RoutedEvent,
  type RoutingResult,
  routeEvents,
} from './deliveries/plan/plan-deliveries.ts';
export { getsDeploymentEvents, planDeploymentEvents } from './deliveries/plan/plan-deployment-events.ts';
export { dueOwnerMailsTable, planServiceEvent } from './deliveries/plan/plan-service-event.ts';
export { endProblem, isoTime, lockEndedProblems } from './deliveries/plan/reported-problems.ts';
export { type RemindedAlert, sendRemindersAcrossOrganizations } from './deliveries/plan/send-reminders.ts';
export { dueSilencedAlertsTable } from './deliveries/plan/silenced-alerts.ts';
export {
  type AcknowledgeTarget,
  createAcknowledgeToken,
  readAcknowledgeToken,
} from './deliveries/secrets/acknowledge-link.ts';
export { sealChannelColumn } from './deliveries/secrets/channel-secrets.ts';
export { resealSecretsAcrossOrganizations } from './deliveries/secrets/reseal-secrets.ts';
export { secretValues } from './deliveries/secrets/secret-values.ts';
export type { SendResult } from './deliveries/send/send-answer.ts';
export { deliveryErrorCodes, sendWebhook } from './deliveries/send/send-webhook.ts';
export {
  type DeliveryLoop,
  type DeliveryLoopOptions,
  startDeliveryLoop,
} from './deliveries/worker/start-delivery-loop.ts';
export { type OwnerMailLoopDeps, startOwnerMailLoop } from './deliveries/worker/start-owner-mail-loop.ts';
export { notifyChannelProblemsAcrossOrganizations } from './deliveries/worker/watch-channels.ts';
export { checkLabelMatchers, notificationRuleEdits } from './rules/notification-rule-edits.ts';
export {
  type NotificationRuleHandlerDeps,
  notificationRuleHandlers,
} from './rules/notification-rule-handlers.ts';
export { findNotificationRule } from './rules/notification-rule-queries.ts';
export { type RemovedCriteria, removeFromCriteria } from './rules/remove-from-criteria.ts';
export { toSimulatedRoutingRule } from './rules/simulated-routing-rule.ts';
export { notificationSettingsHandlers } from './settings/notification-settings-handlers.ts';
export { deleteOldSilencesAcrossOrganizations } from './silences/delete-old-silences.ts';
export { silenceHandlers } from './silences/silence-handlers.ts';
export { type TemplateHandlerDeps, templateHandlers } from './templates/template-handlers.ts';
