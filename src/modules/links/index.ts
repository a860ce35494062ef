/**
 * Pages that people and other programs open through a link with a signature instead of a login: *badges* for other
 * sites, *calendars* to subscribe to, and the *acknowledge page* of links in messages.
 */
export { type AcknowledgePageDeps, serveAcknowledgePage } from './acknowledge-page.ts';
export { badgeHandlers } from './badge-handlers.ts';
export { calendarHandlers } from './calendar-handlers.ts';
export { serveBadges } from './serve-badges.ts';
export { serveCalendars } from './serve-calendars.ts';
