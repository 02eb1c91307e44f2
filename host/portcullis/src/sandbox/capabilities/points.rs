//! `portcullis:hooks/POINT-facts` and `portcullis:hooks/POINT-answer`, for every point.

use super::{Capability, Permission};
use crate::model::points::{self, Answers, Facts, PointId, for_each_point};

macro_rules! define_capabilities {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// The capabilities of a hook's points: their facts and their answers.
        pub static POINT_CAPABILITIES: &[Capability] = &[
            $(
                Capability::new(
                    &[concat!("portcullis:hooks/", $name, "-facts")],
                    "read the facts of its calls: names, sizes, counts",
                    |linker, _| {
                        <points::$point as Facts>::link(linker, |store| &mut store.called().current)
                    },
                ),
                Capability {
                    permission: Permission::Answers(PointId::$point),
                    ..Capability::new(
                        &[concat!("portcullis:hooks/", $name, "-answer")],
                        "answer",
                        |linker, _| {
                            <points::$point as Answers>::link(linker, |store| &mut store.called().current)
                        },
                    )
                },
            )*
        ];
    };
}
for_each_point!(define_capabilities);
