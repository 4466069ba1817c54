"use client";

import { useState } from "react";
import {
  carriedOver,
  correctionsOf,
  decided,
  isNameKey,
  isTurnedIn,
  openQuestion,
  readValues,
  unnamedColumn,
} from "@/lib/transfer/imports/mapping";
import type {
  ColumnDecisions,
  ColumnSurvey,
  Import,
  ImportField,
  Mapping,
} from "@/lib/transfer/imports/schema";

/** A column of the file that has a field. */
export type MatchedColumn = {
  heading: string;
  field: ImportField;
  survey: ColumnSurvey;
  decisions: ColumnDecisions;
};

/** Returns the name of a column on the screen. */
export const columnName = (heading: string, at: number): string => heading || unnamedColumn(at);

/** The columns, values, and owner that are being chosen for an import. */
export function useMapping(item: Import) {
  const [matches, setMatches] = useState(item.matches);
  const [mapping, setMapping] = useState(item.mapping);
  const [ownerId, setOwnerId] = useState(item.ownerId);
  const [base, setBase] = useState(item);
  const reset = (read: Import, choices: Pick<Import, "matches" | "mapping">) => {
    setBase(read);
    setMatches(choices.matches);
    setMapping(choices.mapping);
  };
  // Another window may have chosen other headings, fields, or values. A file that is being read has no columns.
  if (item !== base && item.columns.length > 0) reset(item, carriedOver(base, { matches, mapping }, item));
  const columns = matchedColumns(item, matches, mapping);
  const decide = (key: string, decisions: Partial<ColumnDecisions>) =>
    setMapping((current) => decided(current, key, decisions));
  const match = (at: number, key: string) => {
    setMatches(matches.map((former, place) => (place === at ? key : former)));
    const survey = item.columns[at];
    // Decisions about another column of the field do not hold for this one.
    setMapping((current) => ({
      ...current,
      columns: current.columns.filter((one) => one.key !== key && one.key !== matches[at]),
    }));
    // A name column that is chosen by hand is treated as a suggested one.
    if (isNameKey(key) && survey && isTurnedIn(survey)) decide(key, { turnNames: true });
  };
  return {
    matches,
    match,
    mapping,
    decide,
    columns,
    ownerId,
    setOwnerId,
    /** The row of headings for whose columns these are chosen. */
    headingRow: base.headingRow,
    /** Begins again with the suggestions of an import whose columns have changed. */
    restart: (read: Import) => reset(read, read),
    setAsWritten: (asWritten: boolean) => setMapping((current) => ({ ...current, asWritten })),
    /** True if the file has values that are read, turned, or corrected. */
    hasValues: columns.some(
      ({ field, survey }) =>
        (field.reads !== null && survey.count > 0) ||
        (isNameKey(field.key) && isTurnedIn(survey)) ||
        hasCorrections(field, survey),
    ),
    openColumn: columns.find(
      ({ field, survey, decisions }) => field.reads === "day" && openQuestion(survey, decisions) !== null,
    ),
  };
}

export type MappingState = ReturnType<typeof useMapping>;

const hasCorrections = (field: ImportField, { values }: ColumnSurvey): boolean => {
  const { blank, zips } = correctionsOf(field, values);
  return blank.length + zips.length > 0;
};

function matchedColumns(item: Import, matches: readonly string[], mapping: Mapping): MatchedColumn[] {
  return item.headings.flatMap((heading, at) => {
    const field = item.fields.find(({ key }) => key === matches[at]);
    const survey = item.columns[at];
    if (!field || !survey) return [];
    const decisions = mapping.columns.find(({ key }) => key === field.key) ?? { key: field.key };
    return [{ heading: columnName(heading, at), field, survey, decisions }];
  });
}

/** Returns the values of a column with their readings. */
export const valuesOf = ({ heading, field, survey, decisions }: MatchedColumn) =>
  readValues(field, heading, survey.values, decisions);
