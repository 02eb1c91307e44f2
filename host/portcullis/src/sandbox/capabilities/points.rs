//! `portcullis:hooks/POINT-facts` and `portcullis:hooks/POINT-answer`, for every point.

use wasmtime::component::Linker;

use super::{Capability, Permission};
use crate::model::points::{Answers, Facts, PointId, for_each_point};
use crate::sandbox::store::HookStore;

macro_rules! define_add_to_linker {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
            $(
                <crate::model::points::$point as Facts>::link(linker, |store| &mut store.called().current)?;
                <crate::model::points::$point as Answers>::link(linker, |store| &mut store.called().current)?;
            )*
            Ok(())
        }
    };
}
for_each_point!(define_add_to_linker);

macro_rules! define_capabilities {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// What a hook may import at its points: their facts and their answers.
        pub const POINT_CAPABILITIES: &[Capability] = &[
            $(
                Capability {
                    interface: concat!("portcullis:hooks/", $name, "-facts"),
                    permission: Permission::None,
                    lets: "read the facts of its calls: names, sizes, counts",
                },
                Capability {
                    interface: concat!("portcullis:hooks/", $name, "-answer"),
                    permission: Permission::Answers(PointId::$point),
                    lets: "answer",
                },
            )*
        ];
    };
}
for_each_point!(define_capabilities);
