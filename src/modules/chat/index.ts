/**
 * Buttons in messages of Slack and Mattermost. A *press* acts for the member whose chat account it comes from; everyone
 * else gets a link that connects theirs. Slack signs its requests; Mattermost returns the token of the message.
 */
export { deleteOldPressesAcrossOrganizations } from './press-queries.ts';
export { serveChatButtons } from './serve-chat-buttons.ts';
