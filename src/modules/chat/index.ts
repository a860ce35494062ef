/**
 * Buttons in Slack and Mattermost messages. A *press* acts on behalf of the member whose chat account sent it. If the
 * chat account isn't linked, the person gets a link to connect it. Slack signs its requests. Mattermost doesn't, so its
 * requests are authenticated with the token in the message.
 */
export { deleteOldPressesAcrossOrganizations } from './press-queries.ts';
export { serveChatButtons } from './serve-chat-buttons.ts';
