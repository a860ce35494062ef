import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

/** Starts an inbox that returns 410 for paths under `/gone` and accepts every other request. */
export async function startContractInbox(): Promise<WebhookInbox> {
  const inbox = await createWebhookInbox();
  inbox.answerAlways(({ path }) => ({ status: path.startsWith('/gone') ? 410 : 200, body: 'ok' }));
  return inbox;
}
