import { PageHeader } from '../../ui/page-header.tsx';

export default function NewScrapeJobPage() {
  return <PageHeader title="NewScrapeJob" />;
}
