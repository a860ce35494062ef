/** The state in the URL, so that users can leave and resume setup, or share it. */
export interface SetUpSearch {
  gather_job_id?: string;
  scrape_job_id?: string;
  rule_id?: string;
  alert_config_id?: string;
  /** The step the user went back to. */
  step?: string;
  /** `no`: no one is notified. */
  notify?: string;
}
