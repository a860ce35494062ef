/**
 * Buttons in Slack and Mattermost messages. A *press* acts on behalf of the member whose chat account it came
 * from. People without a linked chat account get a link to connect theirs. Slack signs its requests.
 * Mattermost returns the token of the message.
 */
export { deleteOldPressesAcrossOrganizations } from './press-queries.ts';
export { serveChatButtons } from './serve-chat-buttons.ts';
