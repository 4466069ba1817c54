import type { ReactNode } from "react";
import {
  CalendarIcon,
  ChartIcon,
  ClockIcon,
  FormIcon,
  GroupIcon,
  HomeIcon,
  ListIcon,
  PeopleIcon,
  PhoneIcon,
  ShelterIcon,
  SurveyIcon,
} from "@/components/ui/icons";

const icons: Record<string, ReactNode> = {
  "/home": <HomeIcon />,
  "/forms": <FormIcon />,
  "/clients": <PeopleIcon />,
  "/contacts": <PhoneIcon />,
  "/shelter": <ShelterIcon />,
  "/activities": <ClockIcon />,
  "/events": <CalendarIcon />,
  "/outcome_surveys": <SurveyIcon />,
  "/groups": <GroupIcon />,
  "/reports": <ChartIcon />,
};

/** Returns the icon of a page in the menu, by its path. Its empty state has the same one. */
export const menuIcon = (path: string): ReactNode => icons[path] ?? <ListIcon />;
