import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

/** An inbox that wants no more under `/gone` and takes everything else. */
export async function startContractInbox(): Promise<WebhookInbox> {
  const inbox = await createWebhookInbox();
  inbox.answerAlways(({ path }) => ({ status: path.startsWith('/gone') ? 410 : 200, body: 'ok' }));
  return inbox;
}
