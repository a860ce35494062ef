import { PageHeader } from '../../ui/page-header.tsx';

export default function NotificationRulePage() {
  return <PageHeader title="NotificationRule" />;
}
