/** Page paths by resource kind. */
const pages = {
  alert: '/alerts/$id',
  alert_config: '/alert-configs/$id',
  discovery_job: '/discovery/$id',
  gather_job: '/gather-jobs/$id',
  helm_sync_job: '/helm-sync-jobs/$id',
  notification_channel: '/notification-channels/$id',
  notification_delivery: '/notification-deliveries/$id',
  notification_rule: '/notification-rules/$id',
  release: '/releases/$id',
  rule: '/rules/$id',
  scrape_job: '/scrape-jobs/$id',
  software: '/software/$id',
} as const;

/** Returns the page of a resource, for links, list rows, and navigation. */
export function resourceLink<Kind extends keyof typeof pages>(kind: Kind, id: number) {
  return { to: pages[kind], params: { id: String(id) } };
}
