/** What stands in the address, so that a set-up can be left, gone on with and shown to others. */
export interface SetUpSearch {
  gather_job_id?: string;
  scrape_job_id?: string;
  rule_id?: string;
  alert_config_id?: string;
  /** The step that somebody went back to. */
  step?: string;
  /** `no`: nobody is to hear of it. */
  notify?: string;
}
