/**
 * The release notes between two versions of a gather job's artifact.
 *
 * - *Notes* are the text that upstream published for a release: the notes of the release itself, or those of
 *   the *project* behind an image, chart, or tag. A separate gather job reads the releases of the project,
 *   and the notes come from its release of the same version.
 * - A *hint* is a line of notes that the authors marked, for example as a breaking change.
 *
 * Notes are read when someone views or sends them, and never while alerts are evaluated.
 */
export { type AlertNotes, type AlertVersions, readNotesOfAlerts } from './notes-of-alerts.ts';
export { releaseNotesHandlers } from './release-notes-handlers.ts';
