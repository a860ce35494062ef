import type { AlertState, AlertWrite } from '../alerts/open-alert.ts';
import { type AlertSeverity, isHigherSeverity } from '../rules/severity.ts';
import type { ReplayStep, ReplaySubject } from './replay.ts';

/** An alert that a replay opened. */
export interface Episode<Subject extends ReplaySubject = ReplaySubject> {
  readonly subject: Subject;
  readonly openedAtMs: number;
  /**
   * True if the first evaluation at the start of the replay found the alert, so the alert opened at that time
   * or earlier.
   */
  readonly isOpenAtStart: boolean;
  readonly severityAtOpening: AlertSeverity;
  readonly escalations: readonly { readonly atMs: number; readonly to: AlertSeverity }[];
  readonly highestSeverity: AlertSeverity;
  /** Time of the resolution, or `null` if the alert was still open at the end of the replay. */
  readonly resolvedAtMs: number | null;
  /** Last state of the alert, either at its resolution or at the end of the replay. */
  readonly alert: AlertState;
}

/** An event of an alert in a replay. */
export interface ReplayedEvent<Subject extends ReplaySubject = ReplaySubject> {
  readonly subject: Subject;
  readonly atMs: number;
  readonly eventType: 'alert.created' | 'alert.escalated' | 'alert.resolved';
  readonly severity: AlertSeverity;
}

/** Collects the alerts and events of a replay. */
export class EpisodeLog<Subject extends ReplaySubject> {
  /** Episodes in the order in which their alerts opened, for each subject. */
  readonly episodes: Episode<Subject>[] = [];
  /**
   * Events of the alerts. Alerts that were already open at the start of the replay have no `alert.created`
   * event, because they were reported before that time.
   */
  readonly events: ReplayedEvent<Subject>[] = [];
  readonly #fromMs: number;
  readonly #open = new Map<Subject, OpenEpisode<Subject>>();

  constructor(fromMs: number) {
    this.#fromMs = fromMs;
  }

  add({ subject, atMs, decision }: ReplayStep<Subject>): void {
    const open = this.#open.get(subject);
    if (decision.openAlert !== null && open !== undefined) this.#follow(open, decision.openAlert, atMs);
    if (decision.newAlert !== null) this.#create(subject, decision.newAlert.after, atMs);
  }

  #create(subject: Subject, alert: AlertState, atMs: number): void {
    const isOpenAtStart = atMs === this.#fromMs && (subject.versions[0]?.atMs ?? Infinity) < atMs;
    const episode: OpenEpisode<Subject> = {
      subject,
      openedAtMs: atMs,
      isOpenAtStart,
      severityAtOpening: alert.severity,
      escalations: [],
      highestSeverity: alert.severity,
      resolvedAtMs: null,
      alert,
    };
    this.#open.set(subject, episode);
    this.episodes.push(episode);
    const { severity } = alert;
    if (!isOpenAtStart) this.events.push({ subject, atMs, eventType: 'alert.created', severity });
  }

  #follow(open: OpenEpisode<Subject>, { after, changes }: AlertWrite, atMs: number): void {
    const { subject } = open;
    const { severity } = after;
    open.alert = after;
    if (isHigherSeverity(severity, open.highestSeverity)) open.highestSeverity = severity;
    for (const { action } of changes) {
      if (action === 'escalated') {
        open.escalations.push({ atMs, to: severity });
        this.events.push({ subject, atMs, eventType: 'alert.escalated', severity });
      } else if (action === 'resolved') {
        open.resolvedAtMs = atMs;
        this.#open.delete(subject);
        this.events.push({ subject, atMs, eventType: 'alert.resolved', severity });
      }
    }
  }
}

interface OpenEpisode<Subject extends ReplaySubject> extends Episode<Subject> {
  escalations: { atMs: number; to: AlertSeverity }[];
  highestSeverity: AlertSeverity;
  resolvedAtMs: number | null;
  alert: AlertState;
}
